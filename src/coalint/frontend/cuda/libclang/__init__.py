"""libclang: bindings, parsing, precompiled headers, places. Imports core and `build.include_folders`."""
