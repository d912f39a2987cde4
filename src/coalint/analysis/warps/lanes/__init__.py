"""A value as the lanes of a warp hold it: a number per lane plus unknown uniform quantities."""
