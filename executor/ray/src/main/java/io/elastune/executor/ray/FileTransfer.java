package io.elastune.executor.ray;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Copies files between this machine and the node of a lease, in pieces of one frame. */
final class FileTransfer {
  private final RayLink link;
  private final Executor files;
  private final String lease;

  FileTransfer(RayLink link, Executor files, String lease) {
    this.link = link;
    this.files = files;
    this.lease = lease;
  }

  /** Copies a file to a path below the folder of the lease, where it appears when complete. */
  CompletableFuture<Void> put(Path file, String path) {
    return put(file, path, 0);
  }

  private CompletableFuture<Void> put(Path file, String path, long offset) {
    return CompletableFuture.supplyAsync(() -> read(file, offset), files)
        .thenCompose(
            piece -> {
              boolean last = piece.length < Frame.MAX_BYTES;
              Request request =
                  Request.of("put", lease)
                      .with("path", path)
                      .with("offset", offset)
                      .with("last", last)
                      .bytes(piece);
              CompletableFuture<Void> sent = link.request(request).thenAccept(answer -> {});
              return last ? sent : sent.thenCompose(x -> put(file, path, offset + piece.length));
            });
  }

  private static byte[] read(Path file, long offset) {
    ByteBuffer buffer = ByteBuffer.allocate(Frame.MAX_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.position(offset);
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Reading advances the buffer.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] piece = new byte[buffer.position()];
    buffer.flip().get(piece);
    return piece;
  }

  /** Copies {@code size} bytes of a file below the folder of the lease to a new file here. */
  CompletableFuture<Void> get(String path, long size, Path file) {
    return CompletableFuture.runAsync(() -> create(file), files)
        .thenCompose(created -> get(path, 0, size, file));
  }

  private CompletableFuture<Void> get(String path, long offset, long size, Path file) {
    if (offset >= size) {
      return CompletableFuture.completedFuture(null);
    }
    Request request =
        Request.of("get", lease)
            .with("path", path)
            .with("offset", offset)
            .with("length", Math.min(size - offset, Frame.MAX_BYTES));
    return link.request(request)
        .thenApplyAsync(answer -> append(file, answer.bytes()), files)
        .thenCompose(
            got ->
                got == 0
                    ? CompletableFuture.completedFuture(null) // its check finds it too short
                    : get(path, offset + got, size, file));
  }

  private static void create(Path file) {
    try {
      PrivateFiles.createParent(file);
      PrivateFiles.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int append(Path file, byte[] piece) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
      ByteBuffer buffer = ByteBuffer.wrap(piece);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(false);
      return piece.length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
