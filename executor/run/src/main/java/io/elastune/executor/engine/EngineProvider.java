package io.elastune.executor.engine;

import io.elastune.core.config.FileProblem;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.RunContext;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Opens one type of engine. Implementations are discovered with {@link java.util.ServiceLoader}.
 */
public interface EngineProvider {
  /**
   * Returns whether this engine can start workers on instances of the given cloud provider, e.g.
   * {@code local}.
   */
  boolean supports(String cloud);

  /**
   * Returns why instances of a cloud cannot run trials because of their processors, and what the
   * user can do; empty if they can.
   *
   * @param cloud the name of its provider, e.g. {@code aws}
   * @param architecture as {@link io.elastune.provisioner.ProcessorArchitecture} returns it
   */
  default Optional<String> refusal(CloudContext context, String cloud, String architecture) {
    return Optional.empty();
  }

  /** Returns whether its engines can store checkpoints in buckets. */
  default boolean usesBuckets() {
    return false;
  }

  /**
   * Opens the cloud of a run. An engine that prepares instances, before it can start workers on
   * them, returns a cloud whose instances are ready only then.
   *
   * @param events receives all events, on the cloud's own thread
   * @throws io.elastune.provisioner.CloudException if the cloud cannot be opened, or if this
   *     machine lacks what the engine needs; nothing was rented then
   */
  default Cloud openCloud(CloudProvider provider, RunContext context, Consumer<CloudEvent> events) {
    return provider.open(context, events);
  }

  /**
   * Returns all problems of the engine's part of the settings; none if it is missing. Makes no
   * remote call.
   */
  default List<FileProblem> settingsProblems(CloudContext context) {
    return List.of();
  }

  /** Returns the runtimes that its engines bring to nodes; empty if they bring none. */
  default Optional<NodeRuntimes> runtimes(CloudContext context) {
    return Optional.empty();
  }

  /**
   * Returns why one run cannot use instances of all these offers, which are of one cloud provider;
   * empty if it can. Makes no remote call.
   */
  default Optional<CheckResult> problem(CloudContext context, Collection<Offer> offers) {
    return Optional.empty();
  }

  /**
   * Checks whether this machine has what the engine needs for runs on a cloud.
   *
   * @param places the places of the instances; empty for all
   */
  default List<CheckResult> check(CloudContext context, CloudProvider cloud, List<String> places) {
    return List.of();
  }

  /**
   * Opens an engine for the controller of a run. The run's cloud is open.
   *
   * @param events receives the events, on the engine's own thread
   */
  Engine open(RunContext context, Consumer<EngineEvent> events);
}
