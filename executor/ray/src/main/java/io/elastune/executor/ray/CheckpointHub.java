package io.elastune.executor.ray;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.checkpoint.Checkpoint;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Copies the checkpoints of one trial between the nodes and the store on the controller's disk,
 * where they survive every instance.
 */
final class CheckpointHub {
  /** A checkpoint that cannot be stored. */
  static final class UnusableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableException(String message) {
      super(message);
    }
  }

  /**
   * A checkpoint on a node.
   *
   * @param manifest the SHA-256 of its manifest
   */
  record NodeCheckpoint(int unit, String manifest, List<NodeFile> files) {}

  /** A file of a checkpoint. */
  record NodeFile(String name, long size) {}

  /**
   * The checkpoints of a trial on a node.
   *
   * @param complete those with a manifest, newest first
   * @param torn the units of the others
   */
  record Listing(List<NodeCheckpoint> complete, List<Integer> torn) {}

  private static final int ATTEMPTS = 3;
  private static final JsonMapper JSON = new JsonMapper();

  private final RayContext context;
  private final int trial;
  private final Path store;

  CheckpointHub(AttemptSpec spec, RayContext context) {
    this.context = context;
    trial = spec.trial();
    store = Path.of(spec.checkpointDir()).toAbsolutePath();
  }

  /** Returns the folder of the trial's checkpoints below the folder of a lease. */
  String nodeFolder() {
    return "trials/" + trial;
  }

  /** Lists the checkpoints on the node of a lease. */
  CompletableFuture<Listing> list(String lease) {
    return context
        .link()
        .request(Request.of("checkpoints", lease).with("trial", trial))
        .thenApply(CheckpointHub::listing);
  }

  private static Listing listing(Frame answer) {
    List<NodeCheckpoint> complete = new ArrayList<>();
    for (JsonNode next : JSON.readTree(answer.bytes())) {
      List<NodeFile> files = new ArrayList<>();
      for (JsonNode file : next.path("files")) {
        files.add(new NodeFile(file.path(0).asString(""), file.path(1).asLong(0)));
      }
      complete.add(
          new NodeCheckpoint(
              next.path("unit").asInt(0), next.path("manifest").asString(""), files));
    }
    complete.sort(Comparator.comparingInt(NodeCheckpoint::unit).reversed());
    List<Integer> torn = new ArrayList<>();
    answer.ok().path("torn").forEach(unit -> torn.add(unit.asInt(0)));
    return new Listing(complete, torn);
  }

  /**
   * Copies a checkpoint to the store, unless it is there. Fails with an {@link UnusableException}
   * if it does not match its manifest.
   */
  CompletableFuture<Void> collect(String lease, NodeCheckpoint checkpoint) {
    return CompletableFuture.supplyAsync(() -> isStored(checkpoint), context.files())
        .thenCompose(
            stored ->
                stored
                    ? CompletableFuture.completedFuture(null)
                    : repeatedly(() -> copy(lease, checkpoint), ATTEMPTS));
  }

  private boolean isStored(NodeCheckpoint checkpoint) {
    Path folder = store.resolve(Integer.toString(checkpoint.unit()));
    return manifest(folder).filter(checkpoint.manifest()::equals).isPresent()
        && Checkpoint.problem(folder, checkpoint.unit()).isEmpty();
  }

  private CompletableFuture<Void> copy(String lease, NodeCheckpoint checkpoint) {
    String unit = Integer.toString(checkpoint.unit());
    Path temporary = store.resolve(unit + ".tmp");
    FileTransfer transfer = new FileTransfer(context.link(), context.files(), lease);
    CompletableFuture<Void> copied =
        CompletableFuture.runAsync(() -> removeFolder(temporary), context.files());
    for (NodeFile file : checkpoint.files()) {
      Path target = temporary.resolve(file.name()).normalize();
      if (!target.startsWith(temporary)) {
        return CompletableFuture.failedFuture(
            new UnusableException("its file " + file.name() + " is outside the checkpoint"));
      }
      String path = nodeFolder() + "/" + unit + "/" + file.name();
      copied = copied.thenCompose(before -> transfer.get(path, file.size(), target));
    }
    return copied.thenRunAsync(() -> commit(temporary, checkpoint.unit()), context.files());
  }

  private void commit(Path temporary, int unit) {
    Optional<String> problem = Checkpoint.problem(temporary, unit);
    if (problem.isPresent()) {
      removeFolder(temporary);
      throw new UnusableException(problem.get());
    }
    Path folder = store.resolve(Integer.toString(unit));
    removeFolder(folder);
    try {
      Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Gives a node exactly one checkpoint of the trial, and none for unit 0. An instance to which a
   * trial returns has old ones.
   */
  CompletableFuture<Void> place(String lease, int unit) {
    if (unit == 0) {
      return tidy(lease, 0);
    }
    Path folder = store.resolve(Integer.toString(unit));
    return list(lease)
        .thenCompose(
            listing -> {
              String wanted = manifest(folder).orElse("");
              boolean present =
                  listing.complete().stream()
                      .anyMatch(c -> c.unit() == unit && c.manifest().equals(wanted));
              return tidy(lease, present ? unit : 0)
                  .thenCompose(
                      tidied ->
                          present
                              ? CompletableFuture.completedFuture(null)
                              : repeatedly(() -> send(lease, unit, folder), ATTEMPTS));
            });
  }

  /** Deletes all checkpoints of the trial on a node but one. */
  CompletableFuture<Void> tidy(String lease, int keep) {
    return context
        .link()
        .request(Request.of("tidy", lease).with("trial", trial).with("keep", keep))
        .thenAccept(answer -> {});
  }

  private CompletableFuture<Void> send(String lease, int unit, Path folder) {
    FileTransfer transfer = new FileTransfer(context.link(), context.files(), lease);
    return CompletableFuture.supplyAsync(() -> filesOf(folder), context.files())
        .thenCompose(
            files -> {
              CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);
              for (Path file : files) {
                String path = nodeFolder() + "/" + unit + ".tmp/" + folder.relativize(file);
                sent = sent.thenCompose(before -> transfer.put(file, path));
              }
              return sent;
            })
        .thenCompose(
            sent ->
                context
                    .link()
                    .request(Request.of("place", lease).with("trial", trial).with("unit", unit)))
        .thenAccept(answer -> {});
  }

  private interface Transfer {
    CompletableFuture<Void> begin();
  }

  /** Repeats a transfer that an I/O error has ended. */
  private static CompletableFuture<Void> repeatedly(Transfer transfer, int attempts) {
    return transfer
        .begin()
        .exceptionallyCompose(
            failure -> {
              Throwable cause =
                  failure instanceof CompletionException && failure.getCause() != null
                      ? failure.getCause()
                      : failure;
              boolean again = cause instanceof LinkException e && e.kind().equals("io");
              return again && attempts > 1
                  ? repeatedly(transfer, attempts - 1)
                  : CompletableFuture.failedFuture(cause);
            });
  }

  private static Optional<String> manifest(Path folder) {
    try {
      byte[] text = Files.readAllBytes(folder.resolve(Checkpoint.MANIFEST));
      return Optional.of(
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text)));
    } catch (IOException e) {
      return Optional.empty();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static List<Path> filesOf(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void removeFolder(Path folder) {
    try {
      PrivateFiles.createParent(folder);
      if (Files.exists(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
