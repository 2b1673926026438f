package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.node.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Asks booting nodes how far they are: they tell by attributes of their own. */
final class NodeWatch {
  private final ProjectContext context;
  private final Watcher watcher;

  NodeWatch(ProjectContext context, Watcher watcher) {
    this.context = context;
    this.watcher = watcher;
  }

  /** Asks those of which nothing was asked for longest. */
  void ask(Collection<Rental> rentals) {
    Instant now = context.now();
    List<Rental> due =
        rentals.stream()
            .filter(rental -> booting(rental) && !rental.nodeAsked)
            .filter(rental -> !now.isBefore(rental.nodeAskedLast.plus(context.pace().look())))
            .sorted(Comparator.comparing(rental -> rental.nodeAskedLast))
            .takeWhile(rental -> context.reads().take(now))
            .toList();
    due.forEach(rental -> rental.instance().ifPresent(known -> ask(rental, known)));
  }

  private void ask(Rental rental, GceInstance instance) {
    rental.nodeAsked = true;
    rental.nodeAskedLast = context.now();
    context
        .asker()
        .ask(
            () -> NodeReport.in(context.compute().told(instance.zone(), instance.name())),
            report -> {
              rental.nodeAsked = false;
              report.ifPresentOrElse(told -> booted(rental, told), () -> patience(rental));
            },
            failure -> {
              rental.nodeAsked = false;
              unread(rental, failure);
            });
  }

  /** Without the permission, waiting for the node's word is in vain. */
  private void unread(Rental rental, CloudFailure failure) {
    if (failure instanceof CloudFailure.Permission && booting(rental)) {
      rental.booted = true;
      context.tell(new CloudEvent.SetupFailed(rental.lease(), failure.message(), context.now()));
      return;
    }
    if (failure instanceof CloudFailure.Throttled) {
      context.reads().close(context.now(), context.pace().backOff());
    }
    patience(rental);
  }

  private void booted(Rental rental, NodeReport report) {
    Optional<LeaseRequest> request = rental.request();
    if (!booting(rental) || request.isEmpty()) {
      return;
    }
    rental.booted = true;
    Instant now = context.now();
    if (!report.ready()) {
      String message = "exit code " + report.exit() + ", and its output ends: " + report.output();
      context.tell(new CloudEvent.SetupFailed(rental.lease(), message, now));
      return;
    }
    List<String> slots =
        IntStream.range(0, request.get().offer().gpus()).mapToObj(Integer::toString).toList();
    String address = rental.instance().map(GceInstance::address).orElse("");
    context.tell(
        new CloudEvent.Ready(
            rental.lease(), new Node(address.isEmpty() ? rental.lease() : address, slots), now));
  }

  private void patience(Rental rental) {
    Duration waited = Duration.between(rental.runningSince, context.now());
    if (booting(rental) && waited.compareTo(context.pace().boot()) > 0) {
      watcher.lose(
          rental,
          Loss.LOST_CONTACT,
          "the node has not told within " + waited.toMinutes() + " min that it is ready");
    }
  }

  /** Whether its node has yet to tell that it is ready. */
  static boolean booting(Rental rental) {
    return rental.isRunning()
        && rental.wanted
        && rental.toldRunning
        && !rental.booted
        && !rental.toldLost;
  }
}
