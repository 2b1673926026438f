package io.elastune.core.config;

/** Reads the files that a job file names. */
@FunctionalInterface
public interface ReferencedFiles {
  /**
   * A text file.
   *
   * @param name its name in messages
   */
  record TextFile(String name, String text) {}

  /**
   * Returns a file, or why it cannot be read.
   *
   * @param path the path in the job file, relative to the folder of the job file
   */
  ParseResult<TextFile> read(String path);
}
