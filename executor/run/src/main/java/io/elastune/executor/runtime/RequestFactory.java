package io.elastune.executor.runtime;

import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.executor.code.RunCode;
import io.elastune.executor.decision.model.CheckpointLinks;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialProposal;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.SharedCheckpoints;
import io.elastune.executor.sampler.SamplerRequest;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Creates the lease requests and attempt specifications of a run. */
final class RequestFactory implements AsyncAdvisors.SamplerRequests {
  /**
   * The initial expiry of an instance, after which it shuts down unless the controller renews it.
   */
  private static final long EXPIRES_AFTER_S = 20 * 60;

  /** How long instances may outlive the run before the cloud deletes them by itself. */
  private static final Duration AFTER_END = Duration.ofHours(1);

  private final RunSpec spec;
  private final InstantSource time;
  private final Map<String, Node> nodes = new HashMap<>();

  /** When the leases were requested that were not known to run at the resume. */
  private final Map<String, Instant> unconfirmed = new HashMap<>();

  /** Configurations by trial that the sampler proposed to this controller. */
  private final Map<Integer, String> answered = new TreeMap<>();

  private volatile Map<Integer, TrialState> trials;

  /**
   * Creates a factory that knows the nodes of the leases in {@code before}, the state at start or
   * resume.
   */
  RequestFactory(RunSpec spec, InstantSource time, RunState before) {
    this.spec = spec;
    this.time = time;
    this.trials = before.trials();
    for (LeaseState lease : before.leases().values()) {
      lease.node().ifPresent(node -> nodes.put(lease.lease(), node));
      if (lease.runningAt().isEmpty() && lease.phase() != LeaseState.Phase.GONE) {
        unconfirmed.put(lease.lease(), lease.requestedAt());
      }
    }
  }

  /** Records the node of a lease that became ready. */
  void ready(String lease, Node node) {
    nodes.put(lease, node);
  }

  /** Records the trials before the commands that start their attempts. */
  void trials(Map<Integer, TrialState> others) {
    trials = others;
  }

  @Override
  public SamplerRequest proposal(Command.ConfigureTrials command) {
    return new SamplerRequest(
        command.request(), command.trials().size(), spec.configurations().results(trials));
  }

  @Override
  public List<String> accepted(Command.ConfigureTrials command, List<String> proposals) {
    Map<Integer, TrialState> known = new TreeMap<>(trials);
    // Those of the last answers, which the run may not have received yet.
    answered.forEach(
        (trial, config) ->
            known.computeIfPresent(
                trial,
                (number, state) ->
                    state.isConfigured()
                        ? state
                        : state.with(
                            state
                                .proposal()
                                .orElseThrow()
                                .as(TrialProposal.Status.PROPOSED, config))));
    List<String> accepted = spec.configurations().accepted(proposals, known, command.trials());
    for (int i = 0; i < accepted.size(); i++) {
      answered.put(command.trials().get(i), accepted.get(i));
    }
    return accepted;
  }

  LeaseRequest lease(String lease, String offerName) {
    Job job = spec.job();
    Offer offer = spec.definition().offer(offerName);
    Map<String, String> tags = new HashMap<>(job.resources().labels());
    tags.put(Tags.RUN, spec.definition().run());
    tags.put(Tags.OWNER, spec.owner());
    tags.put(Tags.LEASE, lease);
    tags.put(Tags.EXPIRES, Long.toString(time.instant().getEpochSecond() + EXPIRES_AFTER_S));
    Optional<NodeSetup> setup =
        new TrialCommands(job.trial())
            .setup()
            .map(
                line ->
                    new NodeSetup(
                        line,
                        spec.setupFolder().toString(),
                        spec.environment(),
                        spec.folder().setupLog(lease).toString(),
                        spec.mask(),
                        job.trial().image()));
    return new LeaseRequest(
        spec.definition().run(),
        lease,
        offer,
        setup,
        tags,
        job.deadMan(),
        inTeams(offer),
        job.resources().discount(),
        longestUse(),
        Optional.ofNullable(unconfirmed.get(lease)));
  }

  /**
   * Returns a time within which the run ends even if it takes twice as long as planned. It is
   * counted from each request, because an instance that is deleted during the run costs more than
   * one that is deleted late. Empty for a profiling run, which has no prediction.
   */
  private Optional<Duration> longestUse() {
    Collection<RunDefinition.Forecast> forecasts = spec.definition().forecasts().values();
    if (forecasts.isEmpty()) {
      return Optional.empty();
    }
    double plannedS = forecasts.stream().mapToDouble(RunDefinition.Forecast::seconds).sum();
    double endS = Math.max(2 * plannedS, spec.definition().deadlineS().orElse(0));
    return Optional.of(Duration.ofSeconds((long) Math.ceil(endS)).plus(AFTER_END));
  }

  /** Returns whether a trial of the plan on this offer needs several instances. */
  private boolean inTeams(Offer offer) {
    return spec.definition().plan().allocations().values().stream()
        .filter(allocation -> allocation.offer().equals(offer.name()))
        .anyMatch(allocation -> allocation.gpusPerTrial() > offer.gpus());
  }

  AttemptSpec attempt(Command.StartAttempt command) {
    Job job = spec.job();
    int trial = command.trial();
    Map<String, Object> configuration = spec.configurations().of(trial, trials);
    return AttemptSpec.builder()
        .attempt(command.attempt())
        .run(spec.definition().run())
        .trial(trial)
        .config(configuration)
        .unit(job.search().resource().unit())
        .from(command.from())
        .to(command.to())
        .seed(spec.configurations().seedOf(trial))
        .command(new TrialCommands(job.trial()).run(configuration, job.search().space().keySet()))
        .workdir(spec.trialFolder(trial).toString())
        .checkpointDir(spec.checkpoints(trial).text())
        .log(spec.folder().trialLog(trial).toString())
        .environment(spec.environment())
        .keep(job.trial().checkpoints().keep())
        .workers(workers(command.places()))
        .mask(spec.mask())
        .code(spec.code().map(RunCode::snapshot))
        .resumable(job.trial().resumable())
        .image(job.trial().image())
        .measured(spec.definition().measurement().isPresent())
        .shared(shared(command.links()))
        .checkpointEvery(command.checkpointEvery())
        .trialsPerGpu(command.trialsPerGpu())
        .metric(Optional.of(job.search().metric()))
        .best(Optional.ofNullable(trials.get(trial)).flatMap(TrialState::best))
        .keepAlive(keepAlive(command.to()))
        .digest(digest(command))
        .build();
  }

  /** Returns the digest of the checkpoint to resume from: its own, or that of its parent. */
  private Optional<String> digest(Command.StartAttempt command) {
    Optional<TrialState> parent =
        command.links().parent().isPresent()
            ? Optional.ofNullable(trials.get(command.links().parent().getAsInt()))
            : Optional.empty();
    return Optional.ofNullable(trials.get(command.trial()))
        .map(trial -> trial.digests().get(command.from()))
        .or(() -> parent.map(trial -> trial.digests().get(command.from())));
  }

  /** A profiling run measures each start-up, and after the last unit nothing follows. */
  private AttemptSpec.KeepAlive keepAlive(int to) {
    if (!spec.job().trial().keepAlive() || spec.definition().measurement().isPresent()) {
      return AttemptSpec.KeepAlive.OFF;
    }
    return to < spec.job().search().resource().max()
        ? AttemptSpec.KeepAlive.WAIT
        : AttemptSpec.KeepAlive.LAST;
  }

  private SharedCheckpoints shared(CheckpointLinks links) {
    Optional<SharedCheckpoints.Source> parent =
        links.parent().isEmpty()
            ? Optional.empty()
            : Optional.of(source(links.parent().getAsInt()));
    return new SharedCheckpoints(parent, links.held());
  }

  private SharedCheckpoints.Source source(int trial) {
    return new SharedCheckpoints.Source(trial, spec.checkpoints(trial).text());
  }

  private List<AttemptSpec.Worker> workers(List<GpuSlot> gpuSlots) {
    return gpuSlots.stream().map(this::worker).toList();
  }

  private AttemptSpec.Worker worker(GpuSlot gpuSlot) {
    Node node = nodes.get(gpuSlot.lease());
    if (node == null) {
      throw new IllegalStateException("lease " + gpuSlot.lease() + " is not ready");
    }
    int slot = gpuSlot.gpu();
    Optional<String> devices =
        node.devices().isEmpty() ? Optional.empty() : Optional.of(node.devices().get(slot));
    return new AttemptSpec.Worker(
        gpuSlot.lease(), node.address(), node.slots().get(slot), slot, devices);
  }
}
