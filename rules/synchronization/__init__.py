"""Rules on barriers and races: COA3xx."""
