package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.executor.ray.settings.BridgeCommand;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.process.EventLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Queries a Ray cluster without a run. Methods block until the cluster answers. */
final class ClusterQuery implements AutoCloseable {
  /** A bridge starts within a second here, and within some seconds through ssh. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EventLoop loop = new EventLoop("elastune-ray-query");
  private final RayLink link;

  /**
   * Connects to a cluster.
   *
   * @param log the file for the output of Ray
   * @throws CloudException if the bridge cannot be started
   */
  ClusterQuery(BridgeCommand cluster, Path log) {
    link = new RayLink(cluster.settings("", 1, log, PATIENCE), loop, new Ignored());
    link.failFast();
    loop.execute(link::open);
  }

  private static final class Ignored implements RayLink.Listener {
    @Override
    public void connected() {}

    @Override
    public void event(Frame event) {}
  }

  /** Returns the raw bytes of an answer that are JSON. */
  JsonNode json(Request request) {
    return new JsonMapper().readTree(send(request).bytes());
  }

  /**
   * Sends a request.
   *
   * @throws CloudException if the cluster cannot be reached, or refuses the token or the version
   */
  Frame send(Request request) {
    try {
      return link.onLoop(() -> link.request(request)).join();
    } catch (CompletionException e) {
      throw new CloudException(failure(e), e);
    }
  }

  private static CloudFailure failure(CompletionException e) {
    String message = e.getCause() == null ? "" : String.valueOf(e.getCause().getMessage());
    String kind = e.getCause() instanceof LinkException cause ? cause.kind() : "";
    return switch (kind) {
      case "auth" ->
          new CloudFailure.Permission(
              message
                  + ". Name the variable with the cluster's token in token_env, in the section ray"
                  + " of clouds.yaml");
      case "version" ->
          new CloudFailure.Invalid(
              message + ". Set python in the section ray of clouds.yaml to one with that version");
      case "no-ray" ->
          new CloudFailure.Invalid(
              message
                  + ". Install the cluster's version (pip install ray), or set python in the"
                  + " section ray of clouds.yaml");
      case "no-cluster" ->
          new CloudFailure.UnknownOutcome(
              message
                  + ". Start its head, or correct the address in --infra or in the section ray of"
                  + " clouds.yaml");
      case "bad-request" -> new CloudFailure.Invalid(message);
      default -> new CloudFailure.UnknownOutcome("The Ray cluster does not answer: " + message);
    };
  }

  @Override
  public void close() {
    link.onLoop(
            () -> {
              link.close();
              return java.util.concurrent.CompletableFuture.completedFuture(true);
            })
        .join();
    loop.close();
  }
}
