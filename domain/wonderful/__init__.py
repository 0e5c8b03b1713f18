"""What the two Wonderful games share: cubes, cards, construction areas, production steps, points."""
