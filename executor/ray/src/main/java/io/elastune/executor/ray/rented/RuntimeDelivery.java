package io.elastune.executor.ray.rented;

import io.elastune.core.random.RandomToken;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.ray.runtime.RuntimeBucket;
import io.elastune.executor.ray.runtime.RuntimeServer;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the node runtime to the instances of one run: from a bucket where there is one, otherwise
 * from this machine.
 */
final class RuntimeDelivery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeDelivery.class);
  private static final int PATH_BYTES = 16;

  private final NodeRuntime runtime;
  private final RuntimeServer server;
  private final Optional<Thread> upload;
  private final String host;
  private final String path;

  private RuntimeDelivery(
      NodeRuntime runtime,
      RuntimeServer server,
      Optional<Thread> upload,
      String host,
      String path) {
    this.runtime = runtime;
    this.server = server;
    this.upload = upload;
    this.host = host;
    this.path = path;
  }

  /**
   * Starts a server on this machine, at the port and path of an earlier controller of the run.
   * Stores the runtime in the bucket meanwhile.
   *
   * @param bucket the copy to which the server redirects instances, once it is stored
   * @param file where a later controller finds port and path
   * @param host the address of this machine that instances reach
   */
  static RuntimeDelivery start(
      NodeRuntime runtime, Optional<RuntimeBucket> bucket, Path file, String host) {
    RunRuntime known =
        RunRuntime.read(file)
            .orElseGet(() -> new RunRuntime(runtime.version(), 0, RandomToken.next(PATH_BYTES)));
    RuntimeServer server =
        RuntimeServer.open(
            host,
            known.port(),
            known.path(),
            runtime.archive(),
            () -> bucket.flatMap(RuntimeBucket::url));
    new RunRuntime(runtime.version(), server.port(), known.path()).write(file);
    Optional<Thread> upload = bucket.map(RuntimeDelivery::store);
    return new RuntimeDelivery(runtime, server, upload, host, known.path());
  }

  private static Thread store(RuntimeBucket bucket) {
    Thread thread = new Thread(() -> storeOrLog(bucket), "elastune-runtime-upload");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Without the copy, this machine sends the runtime. */
  private static void storeOrLog(RuntimeBucket bucket) {
    try {
      bucket.store();
    } catch (RuntimeException | Error e) {
      LOG.warn("The node runtime could not be stored in the bucket: {}", e.toString());
    }
  }

  String version() {
    return runtime.version();
  }

  String sha256() {
    return runtime.sha256();
  }

  /** Returns the URL. Those who know it can read the runtime until the end of the run. */
  String url() {
    return "http://" + host + ":" + server.port() + "/" + path;
  }

  @Override
  public void close() {
    upload.ifPresent(Thread::interrupt);
    server.close();
  }

  /** Omits the URL. */
  @Override
  public String toString() {
    return "RuntimeDelivery[" + runtime.version() + "]";
  }
}
