package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Refusal;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Life;
import io.elastune.provisioner.gcp.account.Listing;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.Operation;
import io.elastune.provisioner.remote.EmptyGroups;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that is rented in one project. What there is, is asked of Google itself, over and over, by
 * the run's label: that is how insertions without an answer are settled, and how an instance too
 * many is found. Used in the loop only.
 */
final class ProjectCloud {
  private static final Logger LOG = LoggerFactory.getLogger(ProjectCloud.class);

  /** Nothing was made if so many looks, and the time to settle, have shown nothing. */
  private static final int ENOUGH_LOOKS = 3;

  /** An order without an answer is repeated to the letter after so many looks. */
  private static final int LOOKS_BEFORE_REPEATING = 1;

  private final ProjectContext context;
  private final Map<String, Rental> rentals = new LinkedHashMap<>();
  private final Set<String> runsLookedAt = new HashSet<>();
  private final Lists lists;
  private final Awaited awaited;
  private final Ender ender;
  private final Watcher watcher;
  private final NodeWatch nodes;
  private final Renewer renewer;
  private final Launcher launcher;
  private final EmptyGroups groups;
  private boolean looking;
  private String lastProblem = "";
  private Instant nextLook = Instant.EPOCH;

  ProjectCloud(ProjectContext context) {
    this.context = context;
    lists = new Lists(rentals);
    awaited = new Awaited(context);
    ender = new Ender(context, awaited, this::gone);
    watcher = new Watcher(context, ender);
    nodes = new NodeWatch(context, watcher);
    renewer = new Renewer(context, awaited);
    launcher = new Launcher(context, awaited, renewer, this::made, this::isAnyEnding);
    groups = new EmptyGroups(context.asker(), this::removePolicies);
  }

  /** Rents, if that lease was never heard of; else goes on with it. */
  void request(LeaseRequest request) {
    begin(request, Rental.Phase.QUEUED);
  }

  /** Takes up what an earlier controller has rented; rents nothing. */
  void adopt(LeaseRequest request) {
    begin(request, Rental.Phase.SEEKING);
  }

  private void begin(LeaseRequest request, Rental.Phase phase) {
    Rental known = rentals.get(request.lease());
    if (known != null) {
      if (!known.open()) {
        context.gone(known, known.goneAt);
      }
      return;
    }
    Rental rental = new Rental(request.lease(), Optional.of(request), phase);
    rental.soughtSince = context.now();
    rentals.put(request.lease(), rental);
    step();
  }

  void release(String lease) {
    Rental rental = rentals.get(lease);
    if (rental == null) {
      rental = new Rental(lease, Optional.empty(), Rental.Phase.SEEKING);
      rentals.put(lease, rental);
    }
    if (!rental.open()) {
      context.gone(rental, rental.goneAt);
      return;
    }
    if (rental.wanted) {
      rental.wanted = false;
      rental.soughtSince = context.now();
      rental.looks = 0;
      end(rental);
    }
    nextLook = Instant.EPOCH;
    step();
  }

  /** Deletes what a lease has, or is about to have. */
  private void end(Rental rental) {
    boolean coming = rental.in(Rental.Phase.COMING);
    rental
        .instance()
        .ifPresentOrElse(
            known -> ender.end(known.zone(), known.name(), known.id()),
            () ->
                rental
                    .insertion()
                    .filter(some -> coming)
                    .ifPresent(some -> ender.end(some.zone(), rental.name(), some.name())));
  }

  /** Nodes end by then, unless they are told of another limit. */
  void limitLives(LifeLimit limit) {
    renewer.limitLives(limit, rentals.values());
  }

  /** Asks what there is of a run; {@code answer} is called once Google's word can be taken. */
  void list(String run, Consumer<List<InstanceInfo>> answer) {
    lists.add(
        run,
        there ->
            groups.leave(
                run,
                there,
                rentals.values().stream().flatMap(rental -> rental.request().stream()),
                answer));
    nextLook = Instant.EPOCH;
    step();
  }

  private void removePolicies(String run) {
    context.settings().keySet().forEach(region -> context.compute().removePolicies(region, run));
  }

  private boolean isAnyEnding() {
    return rentals.values().stream().anyMatch(Rental::isEnding);
  }

  /** Does whatever is due. */
  void step() {
    rentals.values().stream()
        .filter(rental -> rental.in(Rental.Phase.SEEKING) || rental.historyWanted)
        .filter(rental -> rental.open() && !rental.historyAsked)
        .takeWhile(rental -> context.reads().take(context.now()))
        .forEach(this::askHistory);
    boolean mayLaunch = renewer.haveAllHeard(rentals.values());
    launcher.launch(
        rentals.values().stream()
            .filter(rental -> mayLaunch && rental.in(Rental.Phase.QUEUED) && rental.wanted)
            .filter(rental -> rental.run().filter(runsLookedAt::contains).isPresent())
            .filter(rental -> !context.now().isBefore(rental.notBefore))
            .toList());
    awaited.poll();
    ender.flush();
    renewer.renew(rentals.values());
    nodes.ask(rentals.values());
    look();
  }

  /** What an earlier controller did, Google itself remembers. */
  private void askHistory(Rental rental) {
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
      awaited.add(insertion.get(), over -> made(rental));
    }
    made(rental);
  }

  private void look() {
    Set<String> runs = new HashSet<>(lists.runs());
    Set<String> strangers = new HashSet<>();
    rentals.values().stream()
        .filter(Rental::open)
        .forEach(
            rental -> rental.run().ifPresentOrElse(runs::add, () -> strangers.add(rental.lease())));
    boolean fresh = !runsLookedAt.containsAll(runs);
    boolean due = fresh || !context.now().isBefore(nextLook);
    if (looking || !due || (runs.isEmpty() && strangers.isEmpty())) {
      return;
    }
    looking = true;
    Instant asked = context.now();
    context
        .asker()
        .ask(
            () -> ask(runs, strangers),
            found -> looked(runs, strangers, found, asked),
            this::notLooked);
  }

  private Listing ask(Set<String> runs, Set<String> strangers) {
    List<GceInstance> found = new ArrayList<>();
    Set<String> silent = new HashSet<>();
    if (!runs.isEmpty()) {
      Listing some = context.compute().withLabel(Tags.RUN, labels(runs));
      found.addAll(some.instances());
      silent.addAll(some.silent());
    }
    if (!strangers.isEmpty()) {
      Listing some = context.compute().withLabel(Tags.LEASE, labels(strangers));
      found.addAll(some.instances());
      silent.addAll(some.silent());
    }
    return new Listing(found, silent);
  }

  private static List<String> labels(Set<String> texts) {
    return texts.stream().map(Names::label).sorted().toList();
  }

  private void notLooked(CloudFailure failure) {
    if (failure.message().equals(lastProblem)) {
      LOG.debug("Google still does not tell: {}", failure.message());
    } else {
      LOG.warn("Google does not tell what there is: {}", failure.message());
    }
    lastProblem = failure.message();
    if (failure instanceof CloudFailure.Permission) {
      refuseAll(failure.message());
    }
    looking = false;
    nextLook = context.now().plus(context.pace().again());
  }

  /** What may not even be looked for is not made. */
  private void refuseAll(String message) {
    List.copyOf(rentals.values()).stream()
        .filter(rental -> rental.in(Rental.Phase.QUEUED) && rental.order == null)
        .forEach(rental -> launcher.refuse(rental, Refusal.PERMISSION, message));
  }

  private void looked(Set<String> runs, Set<String> strangers, Listing found, Instant asked) {
    looking = false;
    lastProblem = "";
    Map<String, List<GceInstance>> byLease =
        found.instances().stream()
            .filter(some -> some.labels().containsKey(Tags.LEASE))
            .collect(
                Collectors.groupingBy(
                    some -> some.labels().getOrDefault(Tags.LEASE, ""),
                    HashMap::new,
                    Collectors.toList()));
    for (Rental rental : List.copyOf(rentals.values())) {
      boolean asksForIt =
          rental.run().map(runs::contains).orElseGet(() -> strangers.contains(rental.lease()));
      if (asksForIt) {
        seen(
            rental,
            byLease.getOrDefault(Names.label(rental.lease()), List.of()),
            found.silent(),
            asked);
      }
    }
    runsLookedAt.addAll(runs);
    lists.answer(runs, found);
    nextLook = context.now().plus(pause());
    step();
  }

  /** Takes in what Google shows of a lease. */
  private void seen(Rental rental, List<GceInstance> instances, Set<String> silent, Instant asked) {
    if (rental.in(Rental.Phase.INSERTING)) {
      return; // the answer tells when it was begun
    }
    if (rental.insertion().isEmpty() && rental.history == null && !instances.isEmpty()) {
      rental.historyWanted = true; // first when it was begun, then what has become of it
      return;
    }
    if (rental.in(Rental.Phase.SEEKING) && rental.history == null) {
      return;
    }
    for (GceInstance instance : instances) {
      if (rental.refusedBy.contains(instance.zone()) && instance.life() == Life.COMING) {
        continue; // its making has failed, which this list does not know yet
      }
      boolean other =
          rental.zone().filter(zone -> !rental.isAt(instance.zone(), instance.name())).isPresent();
      if (other) {
        tooMany(rental, instance);
      } else if (rental.open()) {
        rental.shown = asked;
        watcher.see(rental, instance);
      }
    }
    if (rental.open() && rental.shown.isBefore(asked)) {
      rental
          .zone()
          .ifPresentOrElse(
              zone -> {
                if (!silent.contains(zone) && !rental.in(Rental.Phase.COMING)) {
                  watcher.missing(rental, zone, asked);
                }
              },
              () -> {
                if (silent.isEmpty()) {
                  inVain(rental, asked);
                }
              });
    }
  }

  /** A lease has one instance: whatever else carries its label is not to be paid for. */
  private void tooMany(Rental rental, GceInstance instance) {
    LOG.warn("{} is one instance too many of {}: it is deleted", instance.path(), rental.lease());
    ender.end(instance.zone(), instance.name(), instance.id());
  }

  private void inVain(Rental rental, Instant asked) {
    if (asked.isBefore(rental.soughtSince)) {
      return;
    }
    rental.looks++;
    boolean settled =
        rental.looks >= ENOUGH_LOOKS
            && Duration.between(rental.soughtSince, asked).compareTo(context.pace().settle()) >= 0;
    boolean unknown = rental.in(Rental.Phase.UNKNOWN);
    if (rental.in(Rental.Phase.QUEUED) && !rental.wanted) {
      neverMade(rental);
    } else if (unknown && rental.wanted && rental.looks >= LOOKS_BEFORE_REPEATING) {
      rental.phase = Rental.Phase.QUEUED; // with its order: the same request id makes one
    } else if (settled && (rental.in(Rental.Phase.SEEKING) || (unknown && !rental.wanted))) {
      context.gone(rental, context.now());
    }
  }

  /** Released before its turn came; or before the turn of a repetition, which proves nothing. */
  private void neverMade(Rental rental) {
    if (rental.order == null) {
      context.gone(rental, context.now());
    } else {
      rental.seek(Rental.Phase.SEEKING, context.now());
    }
  }

  /** Google has begun to make it, or has made it. */
  private void made(Rental rental) {
    if (!rental.wanted) {
      end(rental);
    }
    rental.zone().ifPresent(zone -> watcher.missing(rental, zone, context.now()));
    nextLook = Instant.EPOCH;
    step();
  }

  private void gone(String zone, String name, Optional<Instant> at) {
    rentals.values().stream()
        .filter(rental -> rental.open() && rental.isAt(zone, name))
        .findFirst()
        .ifPresent(rental -> watcher.gone(rental, zone, at));
    nextLook = Instant.EPOCH;
  }

  private Duration pause() {
    boolean calm =
        lists.runs().isEmpty()
            && rentals.values().stream()
                .filter(Rental::open)
                .allMatch(rental -> rental.booted && rental.wanted && rental.isRunning());
    boolean spot = rentals.values().stream().anyMatch(rental -> rental.open() && rental.isSpot());
    if (!calm) {
      return context.pace().look();
    }
    return spot ? context.pace().noticeLook() : context.pace().calmLook();
  }
}
