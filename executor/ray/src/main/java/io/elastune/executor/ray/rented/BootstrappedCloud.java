package io.elastune.executor.ray.rented;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LeasePlacement;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.UnexpectedFailure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cloud whose instances join the run's Ray cluster. The instances of the cloud below run a join
 * script instead of the job's setup. A lease is ready once its instance is a node of the cluster
 * and the job's setup has run there, with all variables. Everything else is up to the cloud below.
 */
final class BootstrappedCloud implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(BootstrappedCloud.class);

  private final BootstrapContext context;
  private final Function<LeaseRequest, NodeSetup> join;
  private final Cloud inner;
  private final Consumer<Boolean> afterwards;
  private final JoinMonitor joinMonitor;
  private final RayLink.Listener listener = new BridgeListener();

  /** All leases that are not known to have ended. */
  private final Map<String, LeaseRequest> leases = new HashMap<>();

  private final Map<String, NodeBootstrap> bootstraps = new HashMap<>();
  private final Set<String> released = new HashSet<>();
  private final Set<String> attachingAgain = new HashSet<>();
  private volatile boolean closed;

  /**
   * Opens the cloud.
   *
   * @param join returns the join script of an instance
   * @param opener opens the cloud below
   * @param afterwards called at the end, with whether no instance is left
   */
  BootstrappedCloud(
      BootstrapContext context,
      Function<LeaseRequest, NodeSetup> join,
      Function<Consumer<CloudEvent>, Cloud> opener,
      Consumer<Boolean> afterwards) {
    this.context = context;
    this.join = join;
    this.afterwards = afterwards;
    joinMonitor = new JoinMonitor(context, this::joined);
    inner =
        opener.apply(
            event -> context.loop().execute(error -> broken(event, error), () -> handle(event)));
    context.connection().add(listener);
    context.loop().schedule(context.renewalInterval(), this::renew);
  }

  private final class BridgeListener implements RayLink.Listener {
    @Override
    public void connected() {
      bootstraps.values().forEach(NodeBootstrap::connected);
    }

    /** The engine handles the events of attempts. */
    @Override
    public void event(Frame event) {}
  }

  @Override
  public void request(LeaseRequest request) {
    begin(request, inner::request);
  }

  @Override
  public void adopt(LeaseRequest request) {
    begin(request, inner::adopt);
  }

  private void begin(LeaseRequest request, Consumer<LeaseRequest> command) {
    context
        .loop()
        .execute(
            error -> lose(request.lease(), error),
            () -> {
              leases.put(request.lease(), request);
              context
                  .connection()
                  .place(
                      request.lease(),
                      LeasePlacement.onLabeledNode(request.lease(), request.offer().gpus()));
              command.accept(request.withSetup(join.apply(request)));
            });
  }

  /** The controller releases the lease, whatever state it is in. */
  private void lose(String lease, Throwable error) {
    String message = UnexpectedFailure.text(LOG, "lease " + lease, error);
    cancel(lease);
    context.post(new CloudEvent.Lost(lease, LossReason.FAILED, message, context.now()));
  }

  /** An event that cannot be handled is not lost: it reaches the run, or ends its lease. */
  private void broken(CloudEvent event, Throwable error) {
    if (closed) {
      return;
    }
    if (event instanceof CloudEvent.Running running) {
      context.post(event);
      lose(running.lease(), error);
    } else if (event instanceof CloudEvent.Ready ready) {
      lose(ready.lease(), error);
    } else {
      LOG.warn("{} was not handled completely: {}", event, error.toString());
      context.post(event);
    }
  }

  private void handle(CloudEvent event) {
    if (closed) {
      return;
    }
    if (event instanceof CloudEvent.Running running) {
      awaitJoin(running.lease());
    }
    if (event instanceof CloudEvent.Ready ready) {
      bootstrap(ready);
      return;
    }
    if (event instanceof CloudEvent.PreparationFailed failed) {
      joinMonitor.forget(failed.lease());
      String message = "the instance cannot join the run's Ray cluster: " + failed.message();
      context.post(
          new CloudEvent.PreparationFailed(failed.lease(), failed.step(), message, failed.at()));
      return;
    }
    if (event instanceof CloudEvent.Lost lost) {
      cancel(lost.lease());
    } else if (event instanceof CloudEvent.Terminated terminated) {
      end(terminated.lease());
    } else if (event instanceof CloudEvent.Refused refused) {
      end(refused.lease());
    }
    context.post(event);
    if (event instanceof CloudEvent.Terminated terminated) {
      context.connection().endInstance(terminated.lease());
    }
  }

  private void joined(String lease) {
    inner.confirmBoot(lease);
  }

  private void awaitJoin(String lease) {
    if (leases.containsKey(lease) && !bootstraps.containsKey(lease) && !released.contains(lease)) {
      joinMonitor.await(lease);
    }
  }

  /** Prepares an instance that has booted, or checks one that the cloud below reports again. */
  private void bootstrap(CloudEvent.Ready booted) {
    joinMonitor.forget(booted.lease());
    LeaseRequest request = leases.get(booted.lease());
    NodeBootstrap known = bootstraps.get(booted.lease());
    if (known != null) {
      known.check();
    } else if (request != null && !released.contains(booted.lease())) {
      NodeBootstrap bootstrap =
          new NodeBootstrap(context, request, booted, () -> inner.avoidNode(booted.lease()));
      bootstraps.put(booted.lease(), bootstrap);
      bootstrap.start();
    }
  }

  private void cancel(String lease) {
    joinMonitor.forget(lease);
    NodeBootstrap bootstrap = bootstraps.remove(lease);
    if (bootstrap != null) {
      bootstrap.cancel();
    }
  }

  private void end(String lease) {
    cancel(lease);
    leases.remove(lease);
    released.remove(lease);
  }

  /** Renews all agents: those without attempts, and those whose setup runs, have no other timer. */
  private void renew() {
    if (closed) {
      return;
    }
    context.loop().schedule(context.renewalInterval(), this::renew);
    Set<String> attached = new HashSet<>();
    bootstraps.forEach(
        (lease, bootstrap) -> {
          if (bootstrap.isAttached()) {
            attached.add(lease);
          }
        });
    if (attached.isEmpty() || !context.link().isConnected()) {
      return;
    }
    Request request =
        Request.of("renew")
            .with("ttl_s", context.timeToLive().toMillis() / 1000.0)
            .with("leases", attached);
    context
        .loop()
        .own(
            EventLoop.Owner.repeated("The renewal of agents"),
            () ->
                context
                    .loop()
                    .whenComplete(
                        context.link().request(request),
                        (answer, failure) -> {
                          if (answer != null) {
                            answer.ok().path("failed").propertyNames().forEach(this::attachAgain);
                          }
                        }));
  }

  /** The agent has ended, such as with Ray on its node: another one continues from its files. */
  private void attachAgain(String lease) {
    if (closed || !bootstraps.containsKey(lease) || !attachingAgain.add(lease)) {
      return;
    }
    context
        .loop()
        .whenComplete(context.attach(lease), (answer, failure) -> attachingAgain.remove(lease));
  }

  /** The instance ends whether or not its agent answers. */
  @Override
  public void release(String lease) {
    context
        .loop()
        .execute(
            EventLoop.Owner.repeated("The release of " + lease).then(() -> inner.release(lease)),
            () -> {
              endAgent(lease);
              cancel(lease);
              released.add(lease);
              inner.release(lease);
            });
  }

  private void endAgent(String lease) {
    if (bootstraps.containsKey(lease) && context.link().isConnected()) {
      context
          .loop()
          .whenComplete(
              context.link().request(Request.of("detach", lease).with("end", true)),
              (answer, failure) -> {
                if (failure != null) {
                  LOG.debug("Agent of {} not ended: {}", lease, failure.toString());
                }
              });
    }
  }

  @Override
  public void list(String run) {
    context.loop().execute(error -> inner.list(run), () -> inner.list(run));
  }

  @Override
  public void limitNodeExpiry(NodeExpiryLimit limit) {
    context
        .loop()
        .execute(
            error -> inner.limitNodeExpiry(limit), // the budget depends on it
            () -> inner.limitNodeExpiry(limit));
  }

  @Override
  public void close() {
    closed = true;
    joinMonitor.close();
    inner.close();
    context.connection().leave(listener);
    context.close();
    afterwards.accept(leases.isEmpty());
  }
}
