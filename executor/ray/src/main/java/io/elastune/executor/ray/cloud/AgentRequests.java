package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LeasePlacement;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests for the agent of one lease. Ray answers them late or never, and the answers arrive
 * on the event loop.
 */
final class AgentRequests {
  private static final int POLL_S = 1;

  private final RayCloudContext context;
  private final LeaseRequest request;

  AgentRequests(RayCloudContext context, LeaseRequest request) {
    this.context = context;
    this.request = request;
  }

  /**
   * Finds the agent.
   *
   * @param create whether it is created where none exists
   * @param answered gets the answer, which may say that the agent is pending, or the failure
   */
  void attach(boolean create, BiConsumer<@Nullable Frame, @Nullable Throwable> answered) {
    Request attach =
        placement()
            .addTo(
                Request.of("attach", request.lease())
                    .with("create", create)
                    .with("wait_s", POLL_S)
                    .with("ttl_s", context.timeToLive(request.lease()).toMillis() / 1000.0));
    attach
        .object("tags")
        .put("owner", request.tags().getOrDefault(Tags.OWNER, ""))
        .put("type", request.offer().instanceType());
    send(attach, answered);
  }

  /** Returns whether an answer to {@code attach} comes from an agent that holds its GPUs. */
  static boolean isReady(Frame answer) {
    return answer.ok().path("state").asString("").equals("ready");
  }

  /**
   * Ends the workers and the agent.
   *
   * @param pending whether the agent may have no node that could answer
   * @param ended gets null, or the failure
   */
  void detach(boolean pending, Consumer<@Nullable Throwable> ended) {
    Request detach = Request.of("detach", request.lease()).with("pending", pending);
    send(detach, (answer, failure) -> ended.accept(failure));
  }

  private void send(Request sent, BiConsumer<@Nullable Frame, @Nullable Throwable> answered) {
    context.connection().loop().whenComplete(context.connection().link().request(sent), answered);
  }

  /** Describes what the agent has to hold. */
  String wanted() {
    boolean cpu = request.offer().hasGpu(RayOffers.CPU);
    return cpu
        ? (int) placement().cpus() + " CPUs"
        : placement().gpus() + " GPUs (" + request.offer().gpu() + ")";
  }

  /** Names the nodes that may not hold it, as part of a sentence; empty if all may. */
  String excepted() {
    List<String> avoided = placement().avoided();
    return avoided.isEmpty()
        ? ""
        : " other than " + String.join(", ", avoided) + ", which could not become ready,";
  }

  private LeasePlacement placement() {
    return context.connection().placement(request.lease());
  }

  /** Returns the kind of a failure, as the bridge names it. */
  static String kind(@Nullable Throwable failure) {
    return LinkException.causeOf(failure).map(LinkException::kind).orElse("internal");
  }

  /** Returns the address of the node that has failed; empty if it is unknown. */
  static String node(@Nullable Throwable failure) {
    return LinkException.causeOf(failure).map(LinkException::node).orElse("");
  }

  /** Returns the message of a failure. */
  static String message(@Nullable Throwable failure) {
    return failure == null ? "" : String.valueOf(LinkException.unwrapped(failure).getMessage());
  }
}
