package io.elastune.executor.ray.acceptance;

import io.elastune.core.offer.Offer;
import io.elastune.executor.ray.acceptance.AcceptanceProblem.Repetition;
import io.elastune.executor.ray.link.RayConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether nodes have what their offers state. A refusal is confirmed by a second check, and
 * a driver that is still being installed is waited for. Used on the event loop of the connection
 * only.
 */
public final class NodeAcceptance {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAcceptance.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final String PROGRAM = "elastune_acceptance.py";

  private final RayConnection connection;
  private final InstantSource time;
  private final AcceptanceSettings settings;
  private final CheckedNodes nodes;
  private final Map<String, Double> copyGbPerS;
  private final Duration pause;
  private final byte[] program = resource();
  private int rounds;

  /**
   * Creates the checks of all nodes of a run.
   *
   * @param nodes whose nodes these are
   * @param copyGbPerS the median speed of the GPUs of earlier instances, by the name of their offer
   */
  public NodeAcceptance(
      RayConnection connection,
      InstantSource time,
      AcceptanceSettings settings,
      CheckedNodes nodes,
      Map<String, Double> copyGbPerS) {
    this(connection, time, settings, nodes, copyGbPerS, PAUSE);
  }

  NodeAcceptance(
      RayConnection connection,
      InstantSource time,
      AcceptanceSettings settings,
      CheckedNodes nodes,
      Map<String, Double> copyGbPerS,
      Duration pause) {
    this.connection = connection;
    this.time = time;
    this.settings = settings;
    this.nodes = nodes;
    this.copyGbPerS = copyGbPerS;
    this.pause = pause;
  }

  /**
   * Checks the node of a lease that has an agent, which the caller renews.
   *
   * @param inUse whether trials have run on the node: its driver is not waited for, and the memory
   *     of its GPUs may be in use
   * @return fails with a {@link io.elastune.executor.ray.link.LinkException} if the node does not
   *     answer
   */
  public CompletableFuture<AcceptanceResult> check(String lease, Offer offer, boolean inUse) {
    return check(lease, offer, inUse, List.of());
  }

  /**
   * Checks the node of a lease that may have only some of its GPUs; else as {@link #check(String,
   * Offer, boolean)}.
   *
   * @param devices the GPUs of the lease, as {@code CUDA_VISIBLE_DEVICES} names them; empty for all
   */
  public CompletableFuture<AcceptanceResult> check(
      String lease, Offer offer, boolean inUse, List<String> devices) {
    return check(subject(lease, offer, inUse, Optional.empty(), devices));
  }

  /**
   * Checks the GPUs of a node in a container, after the setup; else as {@link #check(String, Offer,
   * boolean)}.
   */
  public CompletableFuture<AcceptanceResult> checkImage(
      String lease, Offer offer, boolean inUse, String image) {
    return checkImage(lease, offer, inUse, image, List.of());
  }

  /** Checks the GPUs of a lease in a container; else as the other checks. */
  public CompletableFuture<AcceptanceResult> checkImage(
      String lease, Offer offer, boolean inUse, String image, List<String> devices) {
    return settings.has(NodeCheck.IMAGE) && GpuRules.apply(offer, settings)
        ? check(subject(lease, offer, inUse, Optional.of(image), devices))
        : CompletableFuture.completedFuture(AcceptanceResult.ACCEPTED);
  }

  private AcceptanceSubject subject(
      String lease, Offer offer, boolean inUse, Optional<String> image, List<String> devices) {
    Double usual = copyGbPerS.get(offer.name());
    return new AcceptanceSubject(
        lease,
        offer,
        inUse,
        image,
        usual == null ? OptionalDouble.empty() : OptionalDouble.of(usual),
        nodes,
        devices);
  }

  private CompletableFuture<AcceptanceResult> check(AcceptanceSubject subject) {
    Instant limit = subject.inUse() ? time.instant() : time.instant().plus(settings.driverWait());
    return repeat(subject, limit, false);
  }

  private CompletableFuture<AcceptanceResult> repeat(
      AcceptanceSubject subject, Instant limit, boolean isConfirmation) {
    return new AcceptanceRound(connection.link(), time, settings, subject, ++rounds, program)
        .result()
        .thenCompose(result -> decide(subject, limit, isConfirmation, result));
  }

  private CompletableFuture<AcceptanceResult> decide(
      AcceptanceSubject subject, Instant limit, boolean isConfirmation, AcceptanceResult result) {
    Optional<AcceptanceProblem> problem = result.problem();
    Repetition repetition = problem.map(AcceptanceProblem::repetition).orElse(Repetition.NEVER);
    boolean waits = repetition == Repetition.WHILE_WAITING && time.instant().isBefore(limit);
    if (problem.isEmpty() || repetition == Repetition.NEVER || (isConfirmation && !waits)) {
      return CompletableFuture.completedFuture(result);
    }
    LOG.info("Node of {} is checked again: {}", subject.lease(), problem.get().message());
    CompletableFuture<Void> paused = new CompletableFuture<>();
    connection.loop().schedule(pause, () -> paused.complete(null));
    return paused.thenCompose(over -> repeat(subject, limit, !waits));
  }

  private static byte[] resource() {
    try (InputStream stream = NodeAcceptance.class.getResourceAsStream(PROGRAM)) {
      if (stream == null) {
        throw new IllegalStateException(PROGRAM + " is missing");
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
