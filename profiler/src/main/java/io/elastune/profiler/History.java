package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.executor.journal.RunFolder;
import io.elastune.profiler.history.AttemptCounts;
import io.elastune.profiler.history.FaultExposure;
import io.elastune.profiler.history.HistoryException;
import io.elastune.profiler.history.HistoryStore;
import io.elastune.profiler.history.PastPrediction;
import io.elastune.profiler.history.ProgramEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What earlier runs have shown, from {@code history.db} in Elastune's home. It is computed from the
 * journals of the runs, so a missing or damaged file is computed again. All methods throw a {@link
 * HistoryException} if the file cannot be used.
 */
public final class History {
  private static final Logger LOG = LoggerFactory.getLogger(History.class);

  /** A run whose journal has not changed for this long has crashed. */
  private static final Duration IDLE = Duration.ofHours(1);

  private final Path home;
  private final InstantSource clock;

  public History(Path home, InstantSource clock) {
    this.home = home;
    this.clock = clock;
  }

  /** Stores what a run has shown, if it has finished; replaces what was stored of it. */
  public void record(RunFolder folder) {
    boolean isNew = !Files.exists(HistoryStore.file(home));
    with(
        store -> {
          if (isNew) {
            addMissing(store, other -> true);
          }
          return add(store, folder);
        });
  }

  /**
   * Returns the evidence of earlier runs for a program on a GPU model, the oldest first.
   *
   * @param workdir absolute working directory of the trials
   */
  public List<ProgramEvidence> evidence(Job job, Path workdir, String gpu) {
    Predicate<RunFolder> sameJob = folder -> folder.job().equals(job.name());
    if (!Files.exists(HistoryStore.file(home)) && RunFolder.all(home).stream().noneMatch(sameJob)) {
      return List.of();
    }
    return with(
        store -> {
          addMissing(store, sameJob);
          return store.evidence(ProfileKey.of(job, workdir, gpu));
        });
  }

  /**
   * Returns the runs that have measured each stored profile's program, by the name of the profile.
   */
  public Map<String, PastRuns> runsByProfile(Collection<String> profiles) {
    if (!Files.exists(HistoryStore.file(home)) && RunFolder.all(home).isEmpty()) {
      return Map.of();
    }
    return with(
        store -> {
          addMissing(store, folder -> true);
          return profiles.stream()
              .collect(Collectors.toMap(name -> name, name -> PastRuns.of(store.evidence(name))));
        });
  }

  /** Returns all predictions with their results, the oldest first. */
  public List<PastPrediction> predictions() {
    return complete(HistoryStore::predictions);
  }

  /** Returns how often instances and attempts failed, by offer. */
  public List<FaultExposure> exposures() {
    return complete(HistoryStore::exposures);
  }

  /** Returns the attempts of the runs of a job, by offer. */
  public List<AttemptCounts> attempts(String job) {
    return complete(store -> store.attempts(job));
  }

  /**
   * Returns the usual speed at which the GPUs of an offer copy their memory, in GB per second, by
   * the names of the offers with at least three measured instances.
   */
  public Map<String, Double> copySpeeds() {
    return MedianCopySpeeds.of(complete(HistoryStore::copySpeeds));
  }

  /** Returns the provisioning times of all leases, by offer and zone. */
  public List<PlaceTimes> places() {
    return PlaceTimes.of(complete(HistoryStore::provisioning));
  }

  /**
   * The provisioning times of an offer.
   *
   * @param times the times; their number of samples is that of the offer's own leases
   * @param others leases in other places that count, too
   */
  public record Provisioning(ProvisioningTimes times, int others) {}

  /**
   * Returns queueing and boot of offers from the leases of all programs; offers whose type has none
   * are left out.
   *
   * @param known the times that runs of this program have measured, by the offer's name
   * @param at the time for which they are; leases at this hour of the day count more
   * @param shippedSetup the time of the job's setup that is assumed; empty if the times of the
   *     offers are not those that Elastune ships
   */
  public List<Provisioning> provisioning(
      Job job,
      List<Offer> offers,
      Map<String, ProvisioningTimes> known,
      Instant at,
      Optional<Spread> shippedSetup) {
    ProvisioningEvidence evidence =
        new ProvisioningEvidence(
            complete(HistoryStore::provisioning), ProfileKey.setup(job), at, shippedSetup);
    return offers.stream()
        .flatMap(offer -> evidence.of(offer, Optional.ofNullable(known.get(offer.name()))).stream())
        .map(found -> new Provisioning(found.times(), found.others()))
        .toList();
  }

  private <T> List<T> complete(Function<HistoryStore, List<T>> query) {
    if (!Files.exists(HistoryStore.file(home)) && RunFolder.all(home).isEmpty()) {
      return List.of();
    }
    return with(
        store -> {
          addMissing(store, folder -> true);
          return query.apply(store);
        });
  }

  private <T> T with(Function<HistoryStore, T> work) {
    try (HistoryStore store = HistoryStore.open(home)) {
      return work.apply(store);
    } catch (HistoryException e) {
      if (!e.isDamaged()) {
        throw e;
      }
      LOG.warn("{}; computing it again from the journals of all runs", e.getMessage());
      setAside();
    }
    try (HistoryStore store = HistoryStore.open(home)) {
      addMissing(store, folder -> true);
      return work.apply(store);
    }
  }

  /** Its other files belong to the damaged one. */
  private void setAside() {
    Path file = HistoryStore.file(home);
    try {
      Files.move(
          file, file.resolveSibling("history.db.damaged"), StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(file.resolveSibling("history.db-wal"));
      Files.deleteIfExists(file.resolveSibling("history.db-shm"));
    } catch (IOException e) {
      throw new HistoryException("cannot replace the damaged history " + file, false, e);
    }
  }

  private void addMissing(HistoryStore store, Predicate<RunFolder> wanted) {
    Set<String> known = store.runs();
    RunFolder.all(home).stream()
        .filter(wanted)
        .filter(folder -> !known.contains(folder.run()))
        .forEach(folder -> add(store, folder));
  }

  /** A journal that this version cannot read adds nothing. */
  private boolean add(HistoryStore store, RunFolder folder) {
    try {
      PastRunReader.read(folder, clock.instant().minus(IDLE)).ifPresent(store::put);
      return true;
    } catch (HistoryException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.info("The history omits run {}: {}", folder.run(), e.toString());
      return false;
    }
  }
}
