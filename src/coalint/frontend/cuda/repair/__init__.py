"""What a source lacks, declared so that the rest can be read: names, macros, build options."""
