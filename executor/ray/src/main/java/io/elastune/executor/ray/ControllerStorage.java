package io.elastune.executor.ray;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.checkpoint.Checkpoint;
import io.elastune.executor.checkpoint.CheckpointLink;
import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.ray.NodeCheckpoints.NodeCheckpoint;
import io.elastune.executor.ray.NodeCheckpoints.NodeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Copies the checkpoints of one trial between the nodes and a folder on the controller's disk. */
final class ControllerStorage extends FolderStorage {
  private final TransferContext context;

  ControllerStorage(AttemptSpec spec, TransferContext context) {
    super(
        new CheckpointLocation(spec.checkpointDir()).absoluteFolder(),
        new NodeCheckpoints(context.link(), spec.trial(), ""));
    this.context = context;
  }

  @Override
  public CompletableFuture<Boolean> collect(String lease, NodeCheckpoint checkpoint) {
    return CompletableFuture.supplyAsync(() -> isStored(checkpoint), context.files())
        .thenCompose(
            stored ->
                stored
                    ? CompletableFuture.completedFuture(false)
                    : TransferRetry.repeat(() -> copy(lease, checkpoint)).thenApply(v -> true));
  }

  private boolean isStored(NodeCheckpoint checkpoint) {
    Path folder = folder(checkpoint.unit());
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
            new UnusableCheckpointException(
                "its file " + file.name() + " is outside the checkpoint"));
      }
      String path = nodeFolder() + "/" + unit + "/" + file.name();
      copied = copied.thenCompose(before -> transfer.get(path, file.size(), target));
    }
    return copied.thenRunAsync(() -> commit(temporary, checkpoint.unit()), context.files());
  }

  private void commit(Path temporary, int unit) {
    try {
      CheckpointLink.create(temporary); // only files are copied
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Optional<String> problem = Checkpoint.problem(temporary, unit);
    if (problem.isPresent()) {
      removeFolder(temporary);
      throw new UnusableCheckpointException(problem.get());
    }
    Path folder = folder(unit);
    removeFolder(folder);
    try {
      Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CompletableFuture<Boolean> place(String lease, int unit) {
    return nodes.place(
        lease,
        unit,
        () -> manifest(folder(unit)).orElse(""),
        () -> TransferRetry.repeat(() -> send(lease, unit, folder(unit))));
  }

  @Override
  public CompletableFuture<Void> tidy(String lease, int keep) {
    return nodes.tidy(lease, keep);
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
            sent -> context.link().request(nodes.request("place", lease).with("unit", unit)))
        .thenAccept(answer -> {});
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
