package io.elastune.executor.ray.rented;

import io.elastune.core.random.RandomToken;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.ray.runtime.RuntimeServer;
import java.nio.file.Path;
import java.util.Optional;

/** Gives the node runtime to the instances of one run. */
final class RuntimeDelivery implements AutoCloseable {
  private static final int PATH_BYTES = 16;

  private final NodeRuntime runtime;
  private final RuntimeServer server;
  private final String host;
  private final String path;

  private RuntimeDelivery(NodeRuntime runtime, RuntimeServer server, String host, String path) {
    this.runtime = runtime;
    this.server = server;
    this.host = host;
    this.path = path;
  }

  /**
   * Starts a server on this machine, at the port and path of an earlier controller of the run.
   *
   * @param file where a later controller finds port and path
   * @param host the address of this machine that instances reach
   */
  static RuntimeDelivery start(NodeRuntime runtime, Path file, String host) {
    RunRuntime known =
        RunRuntime.read(file)
            .orElseGet(() -> new RunRuntime(runtime.version(), 0, RandomToken.next(PATH_BYTES)));
    RuntimeServer server =
        RuntimeServer.open(host, known.port(), known.path(), runtime.archive(), Optional::empty);
    new RunRuntime(runtime.version(), server.port(), known.path()).write(file);
    return new RuntimeDelivery(runtime, server, host, known.path());
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
    server.close();
  }

  /** Omits the URL. */
  @Override
  public String toString() {
    return "RuntimeDelivery[" + runtime.version() + "]";
  }
}
