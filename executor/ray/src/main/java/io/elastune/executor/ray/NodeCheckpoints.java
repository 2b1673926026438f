package io.elastune.executor.ray;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The checkpoints of one trial that are visible on nodes.
 *
 * @param shared the folder on a shared file system; empty for a folder of each lease
 */
record NodeCheckpoints(RayLink link, int trial, String shared) {
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * A checkpoint on a node.
   *
   * @param manifest the SHA-256 of its manifest
   */
  record NodeCheckpoint(int unit, String manifest, List<NodeFile> files) {
    long bytes() {
      return files.stream().mapToLong(NodeFile::size).sum();
    }
  }

  /** A file of a checkpoint. */
  record NodeFile(String name, long size) {}

  /**
   * The checkpoints of a trial on a node.
   *
   * @param complete those with a manifest, newest first
   * @param torn the units of the others
   */
  record Listing(List<NodeCheckpoint> complete, List<Integer> torn) {
    /** Returns whether the checkpoint of a unit with this manifest exists. */
    boolean contains(int unit, String manifest) {
      return complete.stream().anyMatch(c -> c.unit() == unit && c.manifest().equals(manifest));
    }
  }

  /** Returns the folder on a node: absolute, or below the folder of a lease. */
  String folder() {
    return shared.isEmpty() ? "trials/" + trial : shared;
  }

  /** Creates a request about the trial's checkpoints. */
  Request request(String op, String lease) {
    Request request = Request.of(op, lease).with("trial", trial);
    return shared.isEmpty() ? request : request.with("folder", shared);
  }

  /**
   * Checks a checkpoint on a node and returns the size of its archive in bytes. Fails with an
   * {@link UnusableCheckpointException} if it is torn.
   */
  CompletableFuture<Long> check(String lease, int unit) {
    return usable(call(request("pack", lease).with("unit", unit)))
        .thenApply(answer -> answer.ok().path("size").asLong(0));
  }

  /** Maps the error of a node that found a torn checkpoint. */
  static CompletableFuture<Frame> usable(CompletableFuture<Frame> answer) {
    return answer.exceptionallyCompose(
        failure -> {
          Throwable cause = LinkException.unwrapped(failure);
          String message = String.valueOf(cause.getMessage());
          return CompletableFuture.failedFuture(
              TransferRetry.isKind(failure, "torn")
                  ? new UnusableCheckpointException(message)
                  : cause);
        });
  }

  private CompletableFuture<Frame> call(Request request) {
    return TransferRetry.repeat(() -> link.request(request));
  }

  /** Lists the checkpoints on the node of a lease. */
  CompletableFuture<Listing> list(String lease) {
    return call(request("checkpoints", lease)).thenApply(NodeCheckpoints::listing);
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
   * Makes a stored checkpoint the only one on the node of a lease. Unit 0 stands for none. Returns
   * whether it was copied.
   *
   * @param manifest the SHA-256 of the manifest of the stored checkpoint; empty if it is unknown
   * @param copy copies it to the node
   */
  CompletableFuture<Boolean> place(
      String lease, int unit, Supplier<String> manifest, Supplier<CompletableFuture<Void>> copy) {
    if (unit == 0) {
      return tidy(lease, 0).thenApply(tidied -> false);
    }
    return list(lease)
        .thenCompose(
            listing -> {
              boolean present = listing.contains(unit, manifest.get());
              CompletableFuture<Void> tidied = tidy(lease, present ? unit : 0);
              return present
                  ? tidied.thenApply(done -> false)
                  : tidied.thenCompose(done -> copy.get()).thenApply(copied -> true);
            });
  }

  /** Deletes all checkpoints of the trial on a node but one. */
  CompletableFuture<Void> tidy(String lease, int keep) {
    return call(request("tidy", lease).with("keep", keep)).thenAccept(answer -> {});
  }
}
