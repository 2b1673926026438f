package io.elastune.core.files.tree;

/**
 * Where a value was given.
 *
 * @param file the file's name, or the command-line option's
 * @param line from 1; 0 on the command line
 */
public record Place(String file, int line) {}
