package io.elastune.cli.failure;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Converts file system exceptions to problems. */
final class FileSystemErrors {
  private FileSystemErrors() {}

  /** Returns the problem of the file that {@code fault} names. */
  static ErrorDetail problem(FileSystemException fault) {
    String file = fault.getFile() == null ? "" : fault.getFile();
    return ErrorDetail.inFile(file, 0, "", message(fault), "");
  }

  private static String message(FileSystemException fault) {
    if (fault instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (fault instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (fault instanceof FileAlreadyExistsException) {
      return "already exists";
    }
    if (fault instanceof NotDirectoryException) {
      return "is not a folder";
    }
    String reason = fault.getReason();
    return reason == null ? "cannot be read or written" : "cannot be read or written: " + reason;
  }
}
