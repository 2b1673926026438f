package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.gcp.account.Operation;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the operation histories of leases that an earlier controller requested. */
final class Histories {
  private static final Logger LOG = LoggerFactory.getLogger(Histories.class);

  private final ProjectContext context;
  private final Awaited awaited;

  /** Receives leases whose instance Google is creating or has created. */
  private final Consumer<Rental> made;

  Histories(ProjectContext context, Awaited awaited, Consumer<Rental> made) {
    this.context = context;
    this.awaited = awaited;
    this.made = made;
  }

  /** Reads the histories that are needed. */
  void ask(Collection<Rental> rentals) {
    rentals.stream()
        .filter(rental -> rental.in(Rental.Phase.SEEKING) || rental.historyWanted)
        .filter(rental -> rental.open() && !rental.historyAsked)
        .takeWhile(rental -> context.reads().tryAcquire(context.now()))
        .forEach(this::read);
  }

  private void read(Rental rental) {
    rental.historyAsked = true;
    context
        .asker()
        .call(
            () -> new History(context.compute().history(rental.name())),
            history -> handle(rental, history),
            failure -> {
              LOG.warn(
                  "Reading the operation history of {} failed: {}",
                  rental.name(),
                  failure.message());
              rental.historyAsked = false;
            });
  }

  private void handle(Rental rental, History history) {
    rental.history = history;
    Optional<Operation> insertion = history.insertion();
    if (!rental.in(Rental.Phase.SEEKING) || insertion.isEmpty()) {
      return;
    }
    if (!insertion.get().isDone()) {
      awaited.add(insertion.get(), over -> made.accept(rental));
    }
    made.accept(rental);
  }
}
