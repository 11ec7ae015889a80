"""Three-card poker (Zha Jin Hua, 炸金花, and its kin): the game's public names."""
