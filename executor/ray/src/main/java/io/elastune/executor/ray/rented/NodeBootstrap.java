package io.elastune.executor.ray.rented;

import io.elastune.core.time.Seconds;
import io.elastune.executor.ray.InstanceChecks;
import io.elastune.executor.ray.acceptance.AcceptanceResult;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodePreparation;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.PreparationStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Prepares a booted instance for trials: waits until it is a node of the Ray cluster, creates its
 * agent, checks its GPUs, and runs the job's setup. Every step may be repeated by a later
 * controller, and is repeated when the instance is checked because trials were lost on it. Used on
 * the event loop only.
 */
final class NodeBootstrap {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final BootstrapContext context;
  private final LeaseRequest request;
  private final Runnable avoidNode;
  private final InstanceChecks checks = new InstanceChecks();
  private final Node booted;
  private final Optional<String> zone;
  private Instant limit;
  private boolean attached;
  private boolean canceled;
  private boolean prepared;

  /** The speed of its GPUs when it was new. */
  private OptionalDouble copyGbPerS = OptionalDouble.empty();

  /** Whether an unexpected failure was followed by another try. */
  private boolean isTriedAgain;

  /** Whether a check has ever begun. */
  private boolean checked;

  /** The number of times for which a check has waited; only the last one counts. */
  private int waits;

  /**
   * Creates the preparation of an instance that has booted.
   *
   * @param avoidNode makes later requests prefer another host or zone
   */
  NodeBootstrap(
      BootstrapContext context, LeaseRequest request, CloudEvent.Ready event, Runnable avoidNode) {
    this.context = context;
    this.avoidNode = avoidNode;
    this.request = request;
    booted = event.node();
    zone = event.preparation().zone();
    limit = context.now().plus(context.joinTimeout());
  }

  void start() {
    own(
        () -> {
          if (!canceled) {
            context.loop().whenComplete(context.attach(request.lease()), this::attached);
          }
        });
  }

  private void own(Runnable task) {
    context.loop().own(this::broken, task);
  }

  /** Ends the preparation after an error in the work on it, whatever it was. */
  private void broken(Throwable error) {
    if (!canceled) {
      fail(PreparationStep.JOIN, "the instance could not be prepared: " + error);
    }
  }

  /**
   * Checks whether a prepared instance can still be used, because trials were lost on it: it is
   * reported as ready again, or as lost. Does nothing before it is prepared, or while a check runs.
   */
  void check() {
    own(this::checkOnce);
  }

  private void checkOnce() {
    if (canceled || !prepared) {
      return;
    }
    if (!checks.tryBegin(context.now())) {
      lose(LossReason.LOST_CONTACT, checks.exceeded());
      return;
    }
    prepared = false;
    limit = context.now().plus(context.joinTimeout());
    checked = true;
    giveUpLater();
    start();
  }

  /** Nodes could not answer before: the time of a check begins again. */
  void connected() {
    if (checked) {
      giveUpLater();
    }
  }

  /** Limits a check, since a request may wait for its answer for minutes. */
  private void giveUpLater() {
    int wait = ++waits;
    context.loop().schedule(context.lostAfter(), () -> giveUp(wait));
  }

  private void stopWaiting() {
    waits++;
  }

  private void giveUp(int wait) {
    if (canceled || prepared || wait != waits) {
      return;
    }
    if (context.link().isConnected()) {
      long seconds = context.lostAfter().toSeconds();
      lose(
          LossReason.LOST_CONTACT,
          "the instance has not answered in the Ray cluster for " + seconds + " s");
    } else {
      giveUpLater(); // it cannot answer
    }
  }

  /** Ends without a further event. */
  void cancel() {
    canceled = true;
  }

  /** Returns whether the instance has an agent, which must be renewed. */
  boolean isAttached() {
    return attached;
  }

  private void attached(@Nullable Frame answer, @Nullable Throwable failure) {
    if (canceled) {
      return;
    }
    if (answer != null && answer.ok().path("state").asString("").equals("ready")) {
      attached = true;
      accept(node(answer.ok()));
      return;
    }
    Optional<LinkException> reason = LinkException.causeOf(failure);
    if (reason.filter(some -> !some.isTemporary()).isPresent()) {
      tryAgainOrFail(
          PreparationStep.JOIN, "the instance cannot be used: " + reason.get().getMessage());
    } else if (context.now().isAfter(limit)) {
      fail(
          PreparationStep.JOIN,
          "the instance has booted, but did not join the Ray cluster at "
              + context.head()
              + " within "
              + context.joinTimeout().toMinutes()
              + " min. Allow all TCP ports between the instances and the machine of the controller"
              + " (docs/rented-nodes.md); 'journalctl -u elastune-ray' on the instance shows"
              + " why"
              + reason.map(some -> "; last error: " + some.getMessage()).orElse(""));
    } else {
      context.loop().schedule(RETRY, this::start);
    }
  }

  /** Returns the node as Ray sees it. */
  private Node node(JsonNode agent) {
    List<String> devices = new ArrayList<>();
    agent.path("devices").forEach(device -> devices.add(device.asString()));
    String address = agent.path("ip").asString(booted.address());
    return devices.size() == booted.slots().size()
        ? new Node(address, devices, devices)
        : new Node(address, booted.slots(), booted.devices());
  }

  private void accept(Node node) {
    stopWaiting(); // the node has answered, and its acceptance has limits of its own
    context
        .loop()
        .whenComplete(
            context.acceptance().check(request.lease(), request.offer(), checked),
            (result, failure) -> accepted(result, failure, () -> prepare(node)));
  }

  private void accepted(
      @Nullable AcceptanceResult result, @Nullable Throwable failure, Runnable next) {
    if (canceled) {
      return;
    }
    if (result == null) {
      prepareAgain(PreparationStep.ACCEPTANCE, failure);
    } else if (result.problem().isPresent()) {
      fail(PreparationStep.ACCEPTANCE, result.problem().get().message());
    } else {
      copyGbPerS = result.copyGbPerS().isPresent() ? result.copyGbPerS() : copyGbPerS;
      next.run();
    }
  }

  private void prepare(Node node) {
    if (request.setup().isEmpty()) {
      ready(node, NodePreparation.withoutSetup(zone));
      return;
    }
    NodeSetup setup = request.setup().get();
    Instant began = context.now();
    context
        .loop()
        .whenComplete(
            context.setup().run(request.lease(), setup),
            (problem, failure) -> {
              if (canceled) {
                return;
              }
              if (failure != null) {
                prepareAgain(PreparationStep.SETUP, failure);
              } else if (problem.isPresent()) {
                fail(problem.get().step(), problem.get().message());
              } else {
                double seconds = Seconds.between(began, context.now());
                acceptImage(setup, node, NodePreparation.of(zone, setup, seconds));
              }
            });
  }

  private void acceptImage(NodeSetup setup, Node node, NodePreparation preparation) {
    if (setup.image().isEmpty()) {
      ready(node, preparation);
      return;
    }
    context
        .loop()
        .whenComplete(
            context
                .acceptance()
                .checkImage(request.lease(), request.offer(), checked, setup.image().get()),
            (result, failure) -> accepted(result, failure, () -> ready(node, preparation)));
  }

  /** The setup continues on its node without Ray. */
  private void prepareAgain(PreparationStep step, @Nullable Throwable failure) {
    Optional<LinkException> reason = LinkException.causeOf(failure);
    if (reason.filter(LinkException::isTemporary).isPresent()) {
      limit = context.now().plus(context.joinTimeout());
      connected();
      context.loop().schedule(RETRY, this::start);
    } else {
      tryAgainOrFail(
          step, "it could not run: " + reason.map(Throwable::getMessage).orElse("" + failure));
    }
  }

  private void ready(Node node, NodePreparation preparation) {
    prepared = true;
    context.post(
        new CloudEvent.Ready(
            request.lease(), node, context.now(), preparation.withCopySpeed(copyGbPerS)));
  }

  private void lose(LossReason reason, String message) {
    canceled = true;
    context.post(new CloudEvent.Lost(request.lease(), reason, message, context.now()));
  }

  /** The first unexpected failure may be one of the moment. */
  private void tryAgainOrFail(PreparationStep step, String message) {
    if (isTriedAgain) {
      fail(step, message);
    } else {
      isTriedAgain = true;
      context.loop().schedule(RETRY, this::start);
    }
  }

  /** A step that fails after it had succeeded shows a broken instance. */
  private void fail(PreparationStep step, String message) {
    if (checked) {
      boolean refused = step == PreparationStep.ACCEPTANCE;
      lose(refused ? LossReason.FAILED : LossReason.LOST_CONTACT, step.label() + ": " + message);
      return;
    }
    canceled = true;
    avoidNode.run();
    context.post(new CloudEvent.PreparationFailed(request.lease(), step, message, context.now()));
  }
}
