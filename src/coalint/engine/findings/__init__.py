"""From what checks found to what is reported: fingerprints, filters, fixes."""
