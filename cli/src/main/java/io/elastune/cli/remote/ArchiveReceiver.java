package io.elastune.cli.remote;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Receives an archive and unpacks it. An incomplete or changed archive is rejected. */
final class ArchiveReceiver {
  private final RemoteFolder folder;

  ArchiveReceiver(RemoteFolder folder) {
    this.folder = folder;
  }

  /**
   * Receives the archive with the given SHA-256.
   *
   * @param content the tar archive, until the end of the stream
   */
  void receive(String hash, InputStream content) throws IOException, InterruptedException {
    Path target = folder.archive(hash);
    Path temporary = target.resolveSibling(hash + "." + ProcessHandle.current().pid() + ".tmp");
    Path tar = target.resolveSibling(hash + "." + ProcessHandle.current().pid() + ".tar");
    try {
      PrivateFiles.createFolder(temporary);
      PrivateFiles.createFile(tar);
      String received = store(content, tar);
      if (!received.equals(hash)) {
        throw CommandFailure.invalid(
            "--host",
            "the job was received incompletely: " + Files.size(tar) + " bytes",
            "run the command again");
      }
      unpack(tar, temporary);
      publish(temporary, target);
    } finally {
      Files.deleteIfExists(tar);
      RemoteFolder.remove(temporary);
    }
  }

  /** Another session may send the same archive at the same time. */
  private static void publish(Path temporary, Path target) throws IOException {
    try {
      if (!Files.isDirectory(target)) {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (FileSystemException e) {
      if (!Files.isDirectory(target)) {
        throw e;
      }
    }
  }

  private static String store(InputStream content, Path tar) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (OutputStream file = new DigestOutputStream(Files.newOutputStream(tar), digest)) {
        content.transferTo(file);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is unavailable", e);
    }
  }

  private static void unpack(Path tar, Path folder) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("tar", "-xof", tar.toString(), "-C", folder.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new FileSystemException(folder.toString(), null, "tar failed: " + output);
    }
  }
}
