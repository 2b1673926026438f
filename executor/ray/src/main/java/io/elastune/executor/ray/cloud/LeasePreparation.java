package io.elastune.executor.ray.cloud;

import io.elastune.core.time.Seconds;
import io.elastune.executor.ray.acceptance.AcceptanceResult;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodePreparation;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.PreparationStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Prepares the node of a lease for trials: checks the GPUs that the lease has, the clock and the
 * disk, runs the job's setup, and checks the GPUs in the job's image. Used on the event loop only.
 */
final class LeasePreparation {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final RayCloudContext context;
  private final LeaseRequest request;
  private final List<String> devices;
  private final boolean inUse;
  private final BooleanSupplier isWanted;

  /** The result of a preparation. */
  sealed interface Result {
    /** Trials may use the node. */
    record Prepared(NodePreparation preparation) implements Result {}

    /** Trials must not use the node. */
    record Refused(PreparationFailure failure) implements Result {}
  }

  /**
   * Creates the preparation of a node whose agent answers.
   *
   * @param devices the GPUs of the lease, as Ray names them
   * @param inUse whether trials of the lease may run on them
   * @param isWanted whether a check is repeated if the node does not answer
   */
  LeasePreparation(
      RayCloudContext context,
      LeaseRequest request,
      List<String> devices,
      boolean inUse,
      BooleanSupplier isWanted) {
    this.context = context;
    this.request = request;
    this.devices = devices;
    this.inUse = inUse;
    this.isWanted = isWanted;
  }

  /** Checks the node, and runs the setup of the job if it has one. */
  CompletableFuture<Result> run() {
    return check().thenCompose(refused -> refused.isPresent() ? refuse(refused.get()) : setUp());
  }

  /** Returns why trials must not use the node, without its setup; empty if they may. */
  CompletableFuture<Optional<PreparationFailure>> check() {
    return checked(
        () -> context.acceptance().check(request.lease(), request.offer(), inUse, devices));
  }

  private CompletableFuture<Result> setUp() {
    if (request.setup().isEmpty()) {
      return CompletableFuture.completedFuture(
          new Result.Prepared(NodePreparation.withoutSetup(Optional.empty())));
    }
    NodeSetup setup = request.setup().get();
    Instant began = context.now();
    return context
        .setup()
        .run(request.lease(), setup)
        .exceptionally(
            failure ->
                Optional.of(
                    new PreparationFailure(PreparationStep.SETUP, AgentRequests.message(failure))))
        .thenComposeAsync(
            failure -> {
              NodePreparation preparation =
                  NodePreparation.of(
                      Optional.empty(), setup, Seconds.between(began, context.now()));
              return failure.isPresent() ? refuse(failure.get()) : checkImage(setup, preparation);
            },
            context.connection().loop());
  }

  private CompletableFuture<Result> checkImage(NodeSetup setup, NodePreparation preparation) {
    return setup
        .image()
        .map(
            image ->
                checked(
                    () ->
                        context
                            .acceptance()
                            .checkImage(request.lease(), request.offer(), inUse, image, devices)))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))
        .thenCompose(
            refused ->
                refused.isPresent()
                    ? refuse(refused.get())
                    : CompletableFuture.completedFuture(new Result.Prepared(preparation)));
  }

  private static CompletableFuture<Result> refuse(PreparationFailure failure) {
    return CompletableFuture.completedFuture(new Result.Refused(failure));
  }

  /** A node that does not answer may do so later; its lease is lost by its renewals otherwise. */
  private CompletableFuture<Optional<PreparationFailure>> checked(
      Supplier<CompletableFuture<AcceptanceResult>> check) {
    return check
        .get()
        .thenApply(result -> result.problem().map(problem -> refused(problem.message())))
        .exceptionallyComposeAsync(
            failure ->
                isTemporary(failure) && isWanted.getAsBoolean()
                    ? paused().thenCompose(over -> checked(check))
                    : CompletableFuture.completedFuture(
                        Optional.of(
                            refused("it could not run: " + AgentRequests.message(failure)))),
            context.connection().loop());
  }

  private static boolean isTemporary(Throwable failure) {
    return LinkException.causeOf(failure).filter(LinkException::isTemporary).isPresent();
  }

  private CompletableFuture<Void> paused() {
    CompletableFuture<Void> paused = new CompletableFuture<>();
    context.connection().loop().schedule(RETRY, () -> paused.complete(null));
    return paused;
  }

  private static PreparationFailure refused(String message) {
    return new PreparationFailure(PreparationStep.ACCEPTANCE, message);
  }
}
