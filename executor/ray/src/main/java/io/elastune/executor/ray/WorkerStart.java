package io.elastune.executor.ray;

import io.elastune.core.job.Metric;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpec.Worker;
import io.elastune.executor.protocol.ContainerCommand;
import io.elastune.executor.protocol.TrialFile;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.executor.ray.LeaseAgents.Agent;
import io.elastune.executor.ray.link.Request;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Brings code and checkpoint to all leases of an attempt, and starts its workers there. */
final class WorkerStart {
  private static final JsonMapper JSON = new JsonMapper();

  private final AttemptSpec spec;
  private final RayContext context;
  private final CheckpointStorage storage;
  private final Set<String> leases;
  private final TransferTimes transferTimes;
  private final Map<String, Agent> agents = new LinkedHashMap<>();
  private final Map<String, String> codes = new LinkedHashMap<>();

  WorkerStart(
      AttemptSpec spec,
      RayContext context,
      CheckpointStorage storage,
      Set<String> leases,
      TransferTimes transferTimes) {
    this.spec = spec;
    this.context = context;
    this.storage = storage;
    this.leases = leases;
    this.transferTimes = transferTimes;
  }

  /** Prepares all leases. Returns a free port on the instance of rank 0. */
  CompletableFuture<Integer> prepare() {
    return onAll(lease -> context.agents().attach(lease).thenAccept(a -> agents.put(lease, a)))
        .thenCompose(attached -> onAll(this::provideCode))
        .thenCompose(provided -> placeCheckpoint())
        .thenCompose(
            placed -> context.link().request(Request.of("port", spec.workers().get(0).lease())))
        .thenApply(answer -> answer.ok().path("port").asInt(0));
  }

  private CompletableFuture<Void> placeCheckpoint() {
    Instant began = context.now();
    AtomicBoolean copied = new AtomicBoolean();
    return onAll(lease -> place(lease).thenAccept(yes -> copied.compareAndSet(false, yes)))
        .thenRun(
            () -> {
              if (copied.get()) {
                transferTimes.restored(began);
              }
            });
  }

  private CompletableFuture<Boolean> place(String lease) {
    CompletableFuture<Void> prepared =
        spec.measured() ? storage.tidy(lease, 0) : CompletableFuture.completedFuture(null);
    return prepared.thenCompose(ready -> storage.place(lease, spec.from()));
  }

  private CompletableFuture<Void> provideCode(String lease) {
    return spec.code()
        .map(code -> context.code().provide(lease, code).thenAccept(v -> codes.put(lease, v)))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  /**
   * Starts the workers of one lease, or continues with those that wait. Starting them again has no
   * effect.
   */
  CompletableFuture<Void> start(String lease, int port) {
    return context
        .link()
        .request(
            Request.of("start", lease)
                .with("attempt", spec.attempt())
                .bytes(JSON.writeValueAsBytes(specification(lease, port))))
        .thenAccept(answer -> answer.ok());
  }

  private ObjectNode specification(String lease, int port) {
    Path folder = Path.of(Objects.requireNonNull(agents.get(lease)).folder());
    String checkpoints = folder.resolve(storage.nodeFolder()).toString();
    String code = codes.getOrDefault(lease, "");
    Path work = folder.resolve("work").resolve(code).resolve("trial-" + spec.trial());
    ObjectNode fields = JSON.createObjectNode();
    fields.put("mark", WorkerEnvironment.mark(spec));
    fields.put("lease", lease);
    fields.put("from", spec.from());
    fields.put("container", spec.image().isPresent());
    fields.put("code", code);
    fields.put("cwd", code.isEmpty() ? spec.workdir() : work.toString());
    fields.put("checkpoint_dir", checkpoints);
    fields.put("world", spec.workers().size());
    fields.put("to", spec.to());
    fields.put("grace_s", context.settings().stopGrace().toMillis() / 1000.0);
    fields.put("trials_per_gpu", spec.trialsPerGpu());
    fields.put("keep", spec.keepAlive() == AttemptSpec.KeepAlive.WAIT ? identity() : "");
    fields.put("continues", identity());
    fields.putArray("slots");
    for (int rank = 0; rank < spec.workers().size(); rank++) {
      Worker worker = spec.workers().get(rank);
      if (worker.lease().equals(lease)) {
        Path file = files(folder).resolve("trial-" + rank + ".json");
        fields.withArray("/slots").add(worker.slotIndex());
        ObjectNode made = fields.withArray("/workers").addObject();
        made.put("rank", rank);
        if (rank == 0) {
          spec.metric().flatMap(Metric::from).ifPresent(name -> fields.put("metric_file", name));
        }
        byte[] trialFile = TrialFile.write(spec, checkpoints, rank);
        made.put("trial_file", new String(trialFile, StandardCharsets.UTF_8));
        ObjectNode environment = made.putObject("env");
        WorkerEnvironment.of(spec, rank, file, checkpoints, port).forEach(environment::put);
        onNode(worker).forEach(environment::put);
        fields.put("command", command(environment.propertyNames(), folder, code));
      }
    }
    return fields;
  }

  /** The folder of the trial files: workers that continue use it in all their attempts. */
  private Path files(Path folder) {
    return spec.keepAlive() == AttemptSpec.KeepAlive.OFF
        ? folder.resolve("attempts").resolve(spec.attempt())
        : folder.resolve("inputs").resolve(Integer.toString(spec.trial()));
  }

  /**
   * Returns a text that is the same for attempts whose workers can continue with each other; empty
   * if they cannot. Workers of several instances cannot: some of them may have ended.
   */
  private String identity() {
    if (spec.keepAlive() == AttemptSpec.KeepAlive.OFF || leases.size() > 1) {
      return "";
    }
    return spec.command() + "\n" + codes + "\n" + spec.config() + "\n" + spec.workers();
  }

  /** The links in a working folder lead to the code. */
  private String command(Collection<String> variables, Path folder, String code) {
    List<String> folders =
        code.isEmpty() ? List.of() : List.of(folder.resolve("code").resolve(code).toString());
    return spec.image().isEmpty()
        ? spec.command()
        : ContainerCommand.of(spec, Set.copyOf(variables), folders, List.of());
  }

  /** Returns what Ray knows better than the cloud: the address of rank 0, and the lease's GPUs. */
  private Map<String, String> onNode(Worker worker) {
    Map<String, String> environment = new LinkedHashMap<>();
    Agent first = Objects.requireNonNull(agents.get(spec.workers().get(0).lease()));
    environment.put("MASTER_ADDR", first.ip());
    List<String> devices = Objects.requireNonNull(agents.get(worker.lease())).devices();
    if (worker.slotIndex() < devices.size()) {
      environment.put("CUDA_VISIBLE_DEVICES", devices.get(worker.slotIndex()));
      environment.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    }
    return environment;
  }

  private CompletableFuture<Void> onAll(Function<String, CompletableFuture<Void>> task) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    leases.forEach(lease -> all.add(task.apply(lease)));
    return allOf(all);
  }

  static CompletableFuture<Void> allOf(Collection<CompletableFuture<Void>> all) {
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
  }
}
