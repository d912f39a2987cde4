"""From the results of files to what is reported: merging, order, fingerprints, filters, fixes."""
