package io.elastune.executor.ray.acceptance;

import io.elastune.core.offer.Offer;
import io.elastune.executor.ray.acceptance.AcceptanceProblem.Repetition;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Decides whether the GPUs that a node reports are those of its offer, and work.
 *
 * @param subject the node or image that made the report
 * @param settings which checks apply
 */
record GpuRules(AcceptanceSubject subject, AcceptanceSettings settings) {
  /** Models that NVIDIA's tools do not know: AMD's in the g4ad instances of EC2. */
  private static final Set<String> OTHER_MODELS = Set.of("V520");

  /** How Ray's names for models of other makers begin, such as AMD-Instinct-MI300X. */
  private static final List<String> OTHER_MAKERS = List.of("AMD-", "INTEL-");

  private static final Set<NodeCheck> CHECKS =
      EnumSet.of(
          NodeCheck.GPUS, NodeCheck.MODEL, NodeCheck.CUDA, NodeCheck.SPEED, NodeCheck.HEALTH);

  /** The share of the data sheet's bandwidth below which a GPU is throttled or broken. */
  private static final double LEAST_SPEED = 0.25;

  /** The share of the speed of earlier instances below which a GPU is throttled or broken. */
  private static final double LEAST_OF_USUAL = 0.5;

  /** Trials use all of the memory, or have the GPU for themselves (exclusive compute mode). */
  private static final List<String> IN_USE =
      List.of("CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_DEVICE_UNAVAILABLE");

  /** The fabric manager of a node with NVSwitch has not started yet. */
  private static final String NOT_READY = "CUDA_ERROR_SYSTEM_NOT_READY";

  /** Returns whether the offer has GPUs that can be checked, and any check of them applies. */
  static boolean apply(Offer offer, AcceptanceSettings settings) {
    String gpu = offer.gpu().toUpperCase(Locale.ROOT);
    boolean isNvidia =
        !offer.hasGpu("cpu")
            && OTHER_MODELS.stream().noneMatch(offer::hasGpu)
            && OTHER_MAKERS.stream().noneMatch(gpu::startsWith);
    return isNvidia && CHECKS.stream().anyMatch(settings::has);
  }

  /** Returns the first problem in a report; empty if there is none. */
  Optional<AcceptanceProblem> problem(GpuReport report) {
    return health(report.health())
        .or(() -> driver(report))
        .or(() -> number(report))
        .or(() -> model(report))
        .or(() -> report.cuda().flatMap(this::cuda))
        .or(() -> report.cuda().flatMap(this::speed));
  }

  /** A record names the cause of what the other checks find. */
  private Optional<AcceptanceProblem> health(GpuHealth health) {
    return health
        .finding()
        .flatMap(
            finding ->
                problem(
                    NodeCheck.HEALTH,
                    finding
                        + ". If other instances show this too, use another zone or instance type,"
                        + " or add health to "
                        + nodes().setting("skip"),
                    Repetition.NEVER));
  }

  private Optional<AcceptanceProblem> driver(GpuReport report) {
    SmiReport smi = report.smi();
    if (smi.timedOut()) {
      return problem(
          NodeCheck.GPUS,
          "nvidia-smi has not answered within "
              + settings.timeLimit().toSeconds()
              + " s: a GPU or its driver hangs. If working nodes need longer, raise "
              + nodes().setting("time_limit"),
          Repetition.NEVER);
    }
    if (smi.isMismatch()) {
      return problem(
          NodeCheck.GPUS,
          "nvidia-smi failed: "
              + firstLine(smi.output())
              + ". An update has replaced the driver's libraries since the driver was loaded."
              + (nodes().areShared() ? " Reboot the node, and disable" : " Disable")
              + " automatic updates of NVIDIA packages "
              + nodes().software(),
          Repetition.ONCE);
    }
    if (smi.found() && !smi.isList()) {
      return problem(
          NodeCheck.GPUS,
          "nvidia-smi failed with exit code "
              + smi.exit()
              + ": "
              + firstLine(smi.output())
              + ". "
              + (nodes().areShared()
                  ? "Install a working driver on the node"
                  : "Use a machine image with a working driver for " + offer().gpu()),
          Repetition.WHILE_WAITING);
    }
    return report.isWithoutDriver()
        ? problem(NodeCheck.GPUS, noDriver(), Repetition.WHILE_WAITING)
        : Optional.empty();
  }

  private String noDriver() {
    if (image().isPresent()) {
      return "no GPU is visible. Install the NVIDIA Container Toolkit " + nodes().software();
    }
    return "no NVIDIA driver: neither nvidia-smi nor libcuda.so.1 was found. "
        + (nodes().areShared()
            ? "Install the driver on the node, or add gpus and cuda to "
                + nodes().setting("skip")
                + " if its GPUs are not from NVIDIA"
            : "Use a machine image with the driver; if it installs the driver at its first boot,"
                + " raise "
                + nodes().setting("driver_wait"));
  }

  private Optional<AcceptanceProblem> number(GpuReport report) {
    int count = nodes().areShared() ? report.usable() : report.count();
    return count >= offer().gpus()
        ? Optional.empty()
        : problem(
            NodeCheck.GPUS,
            gpus(count)
                + " found, but "
                + offer().instanceType()
                + " has "
                + offer().gpus()
                + (nodes().areShared()
                    ? ". Start Ray on the node with the number of its GPUs that work (--num-gpus)"
                    : ". If other instances lack GPUs too, use another zone or instance type, or"
                        + " correct gpus in the offers file"),
            Repetition.ONCE);
  }

  private static String gpus(int count) {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }

  private Optional<AcceptanceProblem> model(GpuReport report) {
    Optional<NvidiaModel> expected = NvidiaModel.in(offer().gpu());
    return expected.isEmpty()
        ? Optional.empty() // a name of the user's own
        : (nodes().areShared() ? report.usableNames() : report.names())
            .stream()
                .filter(name -> !NvidiaModel.in(name).equals(expected))
                .findFirst()
                .flatMap(
                    name ->
                        problem(
                            NodeCheck.MODEL,
                            "the GPU is "
                                + name
                                + ", but "
                                + offer().name()
                                + " has "
                                + offer().gpu()
                                + ". Correct gpu in the offers file, or add model to "
                                + nodes().setting("skip"),
                            Repetition.ONCE));
  }

  private Optional<AcceptanceProblem> cuda(CudaReport cuda) {
    if (!cuda.found()) {
      String remedy =
          image().isPresent()
              ? "Set NVIDIA_DRIVER_CAPABILITIES=compute,utility in the image"
              : "Install the driver with its CUDA library " + nodes().software();
      return problem(
          NodeCheck.CUDA, "libcuda.so.1 was not found. " + remedy, Repetition.WHILE_WAITING);
    }
    if (cuda.timedOut()) {
      return problem(
          NodeCheck.CUDA,
          "CUDA has not answered for GPU "
              + cuda.gpus().size()
              + " within "
              + settings.timeLimit().toSeconds()
              + " s. If working nodes need longer, raise "
              + nodes().setting("time_limit"),
          Repetition.NEVER);
    }
    if (cuda.error().isPresent()) {
      return context("CUDA cannot be used: " + cuda.error().get());
    }
    if (cuda.count() < offer().gpus()) {
      return problem(
          NodeCheck.CUDA,
          "CUDA finds "
              + gpus(cuda.count())
              + ", but "
              + offer().instanceType()
              + " has "
              + offer().gpus(),
          Repetition.ONCE);
    }
    for (int gpu = 0; gpu < cuda.gpus().size(); gpu++) {
      Optional<String> error = cuda.gpus().get(gpu).error();
      boolean isUsed = subject.inUse() && IN_USE.stream().anyMatch(error.orElse("")::contains);
      if (error.isPresent() && !isUsed) {
        return context("CUDA cannot create a context on GPU " + gpu + ": " + error.get());
      }
    }
    return Optional.empty();
  }

  private Optional<AcceptanceProblem> context(String message) {
    boolean fabric = message.contains(NOT_READY);
    return problem(
        NodeCheck.CUDA,
        message + (fabric ? ". Enable nvidia-fabricmanager " + nodes().software() : ""),
        fabric ? Repetition.WHILE_WAITING : Repetition.ONCE);
  }

  private Optional<AcceptanceProblem> speed(CudaReport cuda) {
    Optional<NvidiaModel> model = NvidiaModel.in(offer().gpu());
    for (int gpu = 0; gpu < cuda.gpus().size(); gpu++) {
      OptionalDouble found = cuda.gpus().get(gpu).copyGbPerS();
      if (found.isPresent()) {
        Optional<String> slow =
            model
                .filter(some -> found.getAsDouble() < LEAST_SPEED * some.gbPerS())
                .map(
                    some -> "a quarter of the %.0f GB/s of ".formatted(some.gbPerS()) + some.name())
                .or(() -> unusual(found.getAsDouble()));
        if (slow.isPresent()) {
          return problem(
              NodeCheck.SPEED,
              "GPU %d copies its memory at %.0f GB/s, less than %s. Add speed to %s to use such GPUs"
                  .formatted(gpu, found.getAsDouble(), slow.get(), nodes().setting("skip")),
              Repetition.ONCE);
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> unusual(double gbPerS) {
    double usual = subject.usualGbPerS().orElse(0);
    return gbPerS < LEAST_OF_USUAL * usual
        ? Optional.of(
            "half of the %.0f GB/s of earlier instances of ".formatted(usual) + offer().name())
        : Optional.empty();
  }

  private Optional<AcceptanceProblem> problem(
      NodeCheck check, String message, Repetition repetition) {
    if (!settings.has(check)) {
      return Optional.empty();
    }
    if (image().isEmpty()) {
      return Optional.of(new AcceptanceProblem(check, message, repetition));
    }
    String place = "in a container of trial.image " + image().get() + ": ";
    boolean waits = repetition == Repetition.WHILE_WAITING; // the driver of the node works
    return Optional.of(
        new AcceptanceProblem(check, place + message, waits ? Repetition.ONCE : repetition));
  }

  private Offer offer() {
    return subject.offer();
  }

  private CheckedNodes nodes() {
    return subject.nodes();
  }

  private Optional<String> image() {
    return subject.image();
  }

  private static String firstLine(String output) {
    return output
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("no output");
  }
}
