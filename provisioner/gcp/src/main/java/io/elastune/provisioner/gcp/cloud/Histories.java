package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.gcp.account.Operation;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an earlier controller did, Google itself remembers. */
final class Histories {
  private static final Logger LOG = LoggerFactory.getLogger(Histories.class);

  private final ProjectContext context;
  private final Awaited awaited;

  /** Is told of what Google has begun to make, or has made. */
  private final Consumer<Rental> made;

  Histories(ProjectContext context, Awaited awaited, Consumer<Rental> made) {
    this.context = context;
    this.awaited = awaited;
    this.made = made;
  }

  /** Asks for those of which it has to be known. */
  void ask(Collection<Rental> rentals) {
    rentals.stream()
        .filter(rental -> rental.in(Rental.Phase.SEEKING) || rental.historyWanted)
        .filter(rental -> rental.open() && !rental.historyAsked)
        .takeWhile(rental -> context.reads().take(context.now()))
        .forEach(this::ask);
  }

  private void ask(Rental rental) {
    rental.historyAsked = true;
    context
        .asker()
        .ask(
            () -> new History(context.compute().history(rental.name())),
            history -> remembered(rental, history),
            failure -> {
              LOG.warn("what became of {} is not told: {}", rental.name(), failure.message());
              rental.historyAsked = false;
            });
  }

  private void remembered(Rental rental, History history) {
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
