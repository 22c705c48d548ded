"""Project model: roots, the include graph, bibliographies and the immutable `Manuscript`."""
