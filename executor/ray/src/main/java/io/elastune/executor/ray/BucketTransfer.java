package io.elastune.executor.ray;

import io.elastune.executor.ray.link.Frame;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.SignedUrl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Transfers one archive between a node and a bucket. Every attempt of a transfer gets a new URL, so
 * an expired one is replaced.
 */
final class BucketTransfer {
  /** Larger archives are uploaded in parts. */
  static final long PART_BYTES = 64L << 20;

  private static final int MAX_PARTS = 10_000;

  private final TransferContext context;
  private final TransferQueue queue;
  private final NodeCheckpoints nodes;
  private final Supplier<ObjectStore> bucket;

  BucketTransfer(
      TransferContext context,
      TransferQueue queue,
      NodeCheckpoints nodes,
      Supplier<ObjectStore> bucket) {
    this.context = context;
    this.queue = queue;
    this.nodes = nodes;
    this.bucket = bucket;
  }

  /**
   * Stores a checkpoint of a node. Fails with an {@link UnusableCheckpointException} if it is torn.
   */
  CompletableFuture<Void> upload(String lease, int unit, String name) {
    return queue
        .run(lease, () -> nodes.check(lease, unit))
        .thenCompose(
            size ->
                size <= PART_BYTES
                    ? uploadWhole(lease, unit, name, size)
                    : uploadParts(lease, unit, name, size));
  }

  private CompletableFuture<Void> uploadWhole(String lease, int unit, String name, long size) {
    return uploadPart(lease, unit, 0, size, store -> store.put(name)).thenAccept(tag -> {});
  }

  private CompletableFuture<Void> uploadParts(String lease, int unit, String name, long size) {
    return blocking(store -> store.beginUpload(name))
        .thenCompose(
            upload ->
                parts(lease, unit, name, upload, size)
                    .thenCompose(tags -> complete(name, upload, tags))
                    .exceptionallyCompose(
                        failure ->
                            blocking(store -> abort(store, name, upload))
                                .handle((done, ignored) -> done)
                                .thenCompose(done -> CompletableFuture.failedFuture(failure))));
  }

  private CompletableFuture<Void> complete(String name, String upload, List<String> tags) {
    return blocking(
        store -> {
          store.completeUpload(name, upload, tags);
          return null;
        });
  }

  private static String abort(ObjectStore store, String name, String upload) {
    store.abortUpload(name, upload);
    return upload;
  }

  /** Uploads all parts. Completes once none is in transfer, also after a failure. */
  private CompletableFuture<List<String>> parts(
      String lease, int unit, String name, String upload, long size) {
    long partBytes = Math.max(PART_BYTES, (size + MAX_PARTS - 1) / MAX_PARTS);
    List<CompletableFuture<String>> parts = new ArrayList<>();
    for (long offset = 0; offset < size; offset += partBytes) {
      int part = parts.size() + 1;
      long length = Math.min(partBytes, size - offset);
      parts.add(
          uploadPart(lease, unit, offset, length, store -> store.putPart(name, upload, part)));
    }
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> parts.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<String> uploadPart(
      String lease, int unit, long offset, long length, Function<ObjectStore, SignedUrl> url) {
    Supplier<CompletableFuture<Frame>> send =
        () ->
            blocking(url)
                .thenCompose(
                    signed ->
                        context
                            .link()
                            .request(
                                nodes
                                    .request("upload", lease)
                                    .with("unit", unit)
                                    .with("offset", offset)
                                    .with("length", length)
                                    .bytes(bytes(signed))));
    return queue
        .run(lease, () -> TransferRetry.repeat(send))
        .thenApply(answer -> answer.ok().path("tag").asString(""));
  }

  /** Gives a stored checkpoint to a node. */
  CompletableFuture<Void> download(String lease, int unit, String name) {
    Supplier<CompletableFuture<Frame>> get =
        () ->
            blocking(store -> store.get(name))
                .thenCompose(
                    signed ->
                        context
                            .link()
                            .request(
                                nodes
                                    .request("download", lease)
                                    .with("unit", unit)
                                    .bytes(bytes(signed))));
    return NodeCheckpoints.usable(queue.run(lease, () -> TransferRetry.repeat(get)))
        .thenAccept(answer -> {});
  }

  /** The URL is not a field of the request, whose fields may appear in messages. */
  private static byte[] bytes(SignedUrl url) {
    return url.uri().toString().getBytes(StandardCharsets.UTF_8);
  }

  private <T> CompletableFuture<T> blocking(Function<ObjectStore, T> call) {
    return CompletableFuture.supplyAsync(() -> call.apply(bucket.get()), context.files());
  }
}
