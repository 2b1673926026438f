package io.elastune.core.config.yaml;

/**
 * The position of a value in a file or on the command line.
 *
 * @param file name of the file or of the command-line option
 * @param line line number from 1; 0 on the command line
 */
public record SourcePosition(String file, int line) {}
