package io.elastune.executor.ray;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks once per lease that a folder is the same on the node and on this machine: the node must
 * read a file that was just written here.
 */
final class SharedFolders {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final int CHECKS = 5;

  private final InstantSource time;
  private final Map<String, CompletableFuture<Void>> checks = new ConcurrentHashMap<>();

  SharedFolders(InstantSource time) {
    this.time = time;
  }

  /** Fails with an {@link UnusableCheckpointException} if the folders differ. */
  CompletableFuture<Void> check(String lease, Path folder, TransferContext context) {
    String key = lease + " " + folder;
    CompletableFuture<Void> known = checks.get(key);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    Path marker = folder.normalize().resolve(".elastune-" + lease);
    String content = lease + " " + time.instant();
    CompletableFuture<Void> made =
        CompletableFuture.runAsync(() -> write(marker, content), context.files())
            .thenCompose(written -> compare(lease, marker, content, context, CHECKS))
            .whenComplete((done, failure) -> delete(marker));
    checks.put(key, made);
    return made;
  }

  private static CompletableFuture<Void> compare(
      String lease, Path marker, String content, TransferContext context, int checks) {
    return context
        .link()
        .request(Request.of("read", lease).with("path", marker.toString()))
        .handle(
            (answer, failure) ->
                failure == null
                    ? new String(answer.bytes(), StandardCharsets.UTF_8)
                    : String.valueOf(LinkException.unwrapped(failure).getMessage()))
        .thenCompose(
            found -> {
              if (found.equals(content)) {
                return CompletableFuture.completedFuture(null);
              }
              if (checks == 1) {
                return CompletableFuture.failedFuture(
                    new UnusableCheckpointException(explain(lease, marker, found)));
              }
              CompletableFuture<Void> next = new CompletableFuture<>();
              context.loop().schedule(INTERVAL, () -> next.complete(null));
              return next.thenCompose(
                  again -> compare(lease, marker, content, context, checks - 1));
            });
  }

  private static String explain(String lease, Path marker, String found) {
    return "trial.checkpoint.store: %s is not the same folder on this machine and on the node of lease %s: it should contain %s (%s). Mount the same file system at this path on all nodes, or use another store"
        .formatted(marker.getParent(), lease, marker.getFileName(), found);
  }

  private static void write(Path marker, String content) {
    try {
      PrivateFiles.createParent(marker);
      Files.writeString(PrivateFiles.createFile(marker), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path marker) {
    try {
      Files.deleteIfExists(marker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
