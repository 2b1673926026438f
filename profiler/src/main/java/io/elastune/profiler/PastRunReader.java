package io.elastune.profiler;

import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.RankCorrelation;
import io.elastune.core.time.Seconds;
import io.elastune.executor.code.CodeVersion;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.ProgressRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import io.elastune.profiler.history.PastPrediction;
import io.elastune.profiler.history.PastRun;
import io.elastune.profiler.history.ProgramEvidence;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Computes from the journal of a finished run what it adds to the history. */
final class PastRunReader {
  private final RunReader run;
  private final String id;
  private final RunMeta meta;
  private final Map<String, Offer> offers;
  private final Map<String, Offer> offerOfLease = new TreeMap<>();
  private final List<AttemptRow> attempts;

  private PastRunReader(RunReader run, String id) {
    this.run = run;
    this.id = id;
    meta = RunMeta.of(run.meta());
    offers = run.offers();
    for (LeaseRow lease : run.leases()) {
      Optional.ofNullable(offers.get(lease.offer()))
          .ifPresent(offer -> offerOfLease.put(lease.lease(), offer));
    }
    attempts = run.attempts();
  }

  /**
   * Reads a run; empty if it has not finished and its journal has changed since {@code idleSince}.
   * A run that is idle for longer has crashed; if it is resumed after all, its end replaces this.
   *
   * @throws io.elastune.executor.journal.JournalException if its journal cannot be read
   */
  static Optional<PastRun> read(RunFolder folder, Instant idleSince) {
    try (RunReader run = RunReader.open(folder)) {
      ProgressRow progress = run.progress();
      return progress.phase() == RunState.Phase.FINISHED || progress.at().isBefore(idleSince)
          ? Optional.of(new PastRunReader(run, folder.run()).past(progress))
          : Optional.empty();
    }
  }

  private PastRun past(ProgressRow progress) {
    Optional<Job> job =
        JobFile.parseStored(meta.jobFile(), meta.job(), Overrides.NONE)
            .match(Optional::of, problems -> Optional.empty());
    String setup = job.map(ProfileKey::setup).orElse("unknown");
    return new PastRun(
        id,
        job.map(Job::name).orElse(""),
        meta.kind().name(),
        isSimulated(),
        progress.at(),
        progress.exitCode().orElse(RunOutcome.TERMINATED.exitCode()),
        code().map(CodeVersion::hash),
        prediction(progress, job.map(Job::name).orElse("")),
        job.map(of -> evidence(of, progress.at())).orElse(List.of()),
        new PastLeases(run, offers, setup).leases(),
        new PastLeases(run, offers, setup).attempts(attempts, offerOfLease));
  }

  private boolean isSimulated() {
    return offers.values().stream().allMatch(Offer::isSimulated);
  }

  private Optional<CodeVersion> code() {
    return meta.code().isEmpty()
        ? Optional.empty()
        : Optional.of(meta.code().get(meta.code().size() - 1));
  }

  private Optional<PastPrediction> prediction(ProgressRow progress, String job) {
    Optional<Estimate> estimate = meta.estimate();
    return estimate.map(
        predicted ->
            new PastPrediction(
                id,
                job,
                progress.at(),
                isSimulated(),
                PastPrediction.Figures.of(predicted.completionS()),
                PastPrediction.Figures.of(predicted.costUsd()),
                actualS(progress),
                progress.spentUsd()));
  }

  /** A prediction includes neither the time between a stop and a resumption nor suspensions. */
  private OptionalDouble actualS(ProgressRow progress) {
    boolean complete =
        progress.outcome().map(RunOutcome::isComplete).orElse(false)
            && run.groups().stream().allMatch(group -> group.ended().isPresent())
            && new SuspendedTimes(run).isEmpty()
            && run.decisions().stream().noneMatch(row -> row.kind() == DecisionKind.RESUME);
    Optional<Instant> end =
        run.groups().stream()
            .flatMap(group -> group.ended().stream())
            .max(Instant::compareTo)
            .filter(at -> complete);
    return progress.began().isPresent() && end.isPresent()
        ? OptionalDouble.of(Seconds.between(progress.began().get(), end.get()))
        : OptionalDouble.empty();
  }

  private List<ProgramEvidence> evidence(Job job, Instant ended) {
    Path workdir = Path.of(meta.jobFolder()).resolve(job.trial().workdir()).normalize();
    List<ProgramEvidence> evidence = new ArrayList<>();
    Optional<RankCorrelation> ranks =
        RankCorrelationFit.of(RunMeasurements.resultsByRung(run, job.search()));
    List<String> models =
        offerOfLease.values().stream().map(Offer::gpu).distinct().sorted().toList();
    for (String gpu : models) {
      profile(job, gpu, ended)
          .map(
              profile ->
                  new ProgramEvidence(
                      id,
                      ended,
                      code().map(CodeVersion::hash),
                      ProfileKey.of(job, workdir, gpu),
                      profile.withRankCorrelation(ranks)))
          .ifPresent(evidence::add);
    }
    return evidence;
  }

  /** Returns the profile of the attempts on one GPU model, with the last version of the code. */
  private Optional<Profile> profile(Job job, String gpu, Instant ended) {
    List<AttemptTimes> times =
        TrialSelection.of(RunMeasurements.attempts(run, row -> isOn(row, gpu) && isCurrent(row)));
    boolean measured =
        times.stream().anyMatch(one -> !one.size().isShared() && !one.clockSetBack());
    if (!measured) {
      return Optional.empty();
    }
    List<LeaseRow> leases =
        run.leases().stream().filter(lease -> isGpu(lease.lease(), gpu)).toList();
    boolean fresh =
        offerOfLease.values().stream().noneMatch(offer -> offer.provider().equals("local"));
    ProfileFit fit = new ProfileFit(times);
    return Optional.of(
        fit.profile(
                job.name(),
                gpu,
                job.search().resource().unit(),
                ended,
                MeasurementOrigin.RUN + id,
                code().map(CodeVersion::hash),
                RunMeasurements.leases(run, leases),
                fresh)
            .withCheckpoint(CheckpointFit.of(run.checkpointTimes().values(), fit.sizes()))
            .withConfigurations(
                fit.configurations(RunMeasurements.configurations(run), job.search().space()))
            .withMemoryGb(RunMeasurements.workerGb(run, row -> isOn(row, gpu) && isCurrent(row)))
            .profile());
  }

  /** Whether an attempt ran with the last version of the code. */
  private boolean isCurrent(AttemptRow row) {
    Instant since = code().map(last -> Instant.ofEpochMilli(last.sinceMs())).orElse(Instant.EPOCH);
    return meta.code().size() <= 1 || !row.started().isBefore(since);
  }

  private boolean isOn(AttemptRow row, String gpu) {
    return row.places().stream().map(GpuSlot::lease).allMatch(lease -> isGpu(lease, gpu));
  }

  private boolean isGpu(String lease, String gpu) {
    Offer offer = offerOfLease.get(lease);
    return offer != null && offer.gpu().equals(gpu);
  }
}
