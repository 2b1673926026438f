package io.elastune.cli.failure;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What a file system's exception says, in our words. */
final class FileFaults {
  private FileFaults() {}

  /** The problem of the file that {@code fault} names. */
  static Problem problem(FileSystemException fault) {
    String file = fault.getFile() == null ? "" : fault.getFile();
    return Problem.in(file, 0, "", message(fault), "");
  }

  private static String message(FileSystemException fault) {
    if (fault instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (fault instanceof AccessDeniedException) {
      return "this user may not read or write it";
    }
    if (fault instanceof FileAlreadyExistsException) {
      return "is already there";
    }
    if (fault instanceof NotDirectoryException) {
      return "is not a folder";
    }
    String reason = fault.getReason();
    return reason == null ? "cannot be read or written" : "cannot be read or written: " + reason;
  }
}
