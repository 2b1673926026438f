package io.elastune.executor.ray.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.executor.ray.acceptance.AcceptanceProblem.Repetition;
import io.elastune.provisioner.SampleLeaseRequests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuRulesTest {
  private static final Offer FOUR = offer("A10G", 4);
  private static final String A10G = "NVIDIA A10G";

  private static Offer offer(String gpu, int gpus) {
    Offer one =
        SampleLeaseRequests.of("l", "aws/us-east-1", "g5.12xlarge", gpu, Market.ON_DEMAND).offer();
    return OfferBuilder.builder(one).gpus(gpus).build();
  }

  @Test
  void nodeAsOfferedIsAccepted() {
    assertThat(problem(FOUR, healthy(A10G, 4, 480))).isEmpty();
    assertThat(problem(offer("A10G", 2), healthy(A10G, 4, 480))).as("more than offered").isEmpty();
  }

  @Test
  void nodeWithoutDriverMayGetOne() {
    AcceptanceProblem problem =
        refused(FOUR, "{\"smi\": {\"found\": false}, \"cuda\": {\"found\": false}}");
    assertThat(problem.check()).isEqualTo(NodeCheck.GPUS);
    assertThat(problem.repetition()).isEqualTo(Repetition.WHILE_WAITING);
    assertThat(problem.message())
        .contains("no NVIDIA driver", "machine image with the driver", "acceptance.driver_wait");
  }

  @Test
  void fewerGpusAreRefused() {
    AcceptanceProblem problem = refused(FOUR, healthy(A10G, 1, 480));
    assertThat(problem.check()).isEqualTo(NodeCheck.GPUS);
    assertThat(problem.repetition()).isEqualTo(Repetition.ONCE);
    assertThat(problem.message()).startsWith("1 GPU found, but g5.12xlarge has 4. ");
  }

  @Test
  void otherModelIsRefused() {
    AcceptanceProblem problem = refused(FOUR, healthy("Tesla T4", 4, 480));
    assertThat(problem.check()).isEqualTo(NodeCheck.MODEL);
    assertThat(problem.message())
        .startsWith("the GPU is Tesla T4, but aws/us-east-1/g5.12xlarge/on-demand has A10G. ")
        .contains("offers file", "rented_nodes.acceptance.skip");
    assertThat(problem(FOUR, healthy("Tesla T4", 4, 480), NodeCheck.MODEL)).isEmpty();
  }

  @Test
  void mismatchOfDriverAndLibraryIsExplained() {
    AcceptanceProblem problem =
        refused(
            FOUR,
            smi(18, "Failed to initialize NVML: Driver/library version mismatch\nNVML: 570.1"));
    assertThat(problem.check()).isEqualTo(NodeCheck.GPUS);
    assertThat(problem.message())
        .contains("Driver/library version mismatch. ", "Disable automatic updates");
    assertThat(problem.repetition()).isEqualTo(Repetition.ONCE);
  }

  @Test
  void failingDriverIsShownAndMayStart() {
    AcceptanceProblem problem = refused(FOUR, smi(9, "NVIDIA-SMI has failed because it couldn't"));
    assertThat(problem.message()).contains("exit code 9: NVIDIA-SMI has failed", "driver for A10G");
    assertThat(problem.repetition()).isEqualTo(Repetition.WHILE_WAITING);
  }

  @Test
  void hangIsNotRepeated() {
    AcceptanceProblem smi = refused(FOUR, "{\"smi\": {\"found\": true, \"timed_out\": true}}");
    assertThat(smi.message()).contains("nvidia-smi has not answered within 60 s", "time_limit");
    assertThat(smi.repetition()).isEqualTo(Repetition.NEVER);

    AcceptanceProblem cuda =
        refused(FOUR, report(names(A10G, 4), "\"count\": 4, \"timed_out\": true, \"gpus\": [{}]"));
    assertThat(cuda.check()).isEqualTo(NodeCheck.CUDA);
    assertThat(cuda.message()).contains("CUDA has not answered for GPU 1 within 60 s");
    assertThat(cuda.repetition()).isEqualTo(Repetition.NEVER);
  }

  @Test
  void fabricManagerMayStart() {
    AcceptanceProblem problem =
        refused(FOUR, report(names(A10G, 4), "\"error\": \"cuInit: CUDA_ERROR_SYSTEM_NOT_READY\""));
    assertThat(problem.message()).contains("CUDA_ERROR_SYSTEM_NOT_READY", "nvidia-fabricmanager");
    assertThat(problem.repetition()).isEqualTo(Repetition.WHILE_WAITING);
  }

  @Test
  void everyGpuNeedsContext() {
    String gpus = "{\"name\": \"NVIDIA A10G\"}, {\"error\": \"x: CUDA_ERROR_ECC_UNCORRECTABLE\"}";
    AcceptanceProblem problem =
        refused(offer("A10G", 2), report(names(A10G, 2), "\"count\": 2, \"gpus\": [" + gpus + "]"));
    assertThat(problem.check()).isEqualTo(NodeCheck.CUDA);
    assertThat(problem.message()).contains("on GPU 1: x: CUDA_ERROR_ECC_UNCORRECTABLE");

    AcceptanceProblem fewer = refused(FOUR, report(names(A10G, 4), "\"count\": 3"));
    assertThat(fewer.message()).contains("CUDA finds 3 GPUs, but g5.12xlarge has 4");
    AcceptanceProblem library =
        refused(FOUR, "{\"smi\": " + list(names(A10G, 4)) + ", \"cuda\": {\"found\": false}}");
    assertThat(library.message()).contains("libcuda.so.1 was not found");
  }

  /** A program may use all of the memory of a GPU, or exclude other programs. */
  @ParameterizedTest
  @ValueSource(strings = {"CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_DEVICE_UNAVAILABLE"})
  void gpuInUseIsNoProblemOnlyAfterTrials(String error) {
    String report =
        report(names(A10G, 1), "\"count\": 1, \"gpus\": [{\"error\": \"" + error + "\"}]");
    assertThat(refused(offer("A10G", 1), report).check()).isEqualTo(NodeCheck.CUDA);
    GpuRules inUse =
        new GpuRules(
            new AcceptanceSubject(
                "l",
                offer("A10G", 1),
                true,
                Optional.empty(),
                OptionalDouble.empty(),
                CheckedNodes.RENTED,
                List.of()),
            AcceptanceSettings.DEFAULT);
    assertThat(inUse.problem(GpuReport.parse(report).orElseThrow())).isEmpty();
  }

  @Test
  void slowGpuIsRefused() {
    AcceptanceProblem problem = refused(FOUR, healthy(A10G, 4, 149));
    assertThat(problem.check()).isEqualTo(NodeCheck.SPEED);
    assertThat(problem.message())
        .startsWith("GPU 0 copies its memory at 149 GB/s, less than a quarter of the 600 GB/s");
    assertThat(problem(FOUR, healthy(A10G, 4, 151))).isEmpty();
    assertThat(problem(FOUR, healthy(A10G, 4, 149), NodeCheck.SPEED)).isEmpty();
  }

  /** A model that Elastune does not know has no data sheet. */
  @ParameterizedTest
  @ValueSource(strings = {"A10G", "my-gpu"})
  void gpuThatIsSlowerThanThoseOfEarlierInstancesIsRefused(String gpu) {
    OptionalDouble usual = OptionalDouble.of(480.4);
    String slow = healthy(A10G, 4, 239);
    AcceptanceProblem problem = problem(offer(gpu, 4), usual, slow).orElseThrow();
    assertThat(problem.check()).isEqualTo(NodeCheck.SPEED);
    assertThat(problem.message())
        .startsWith(
            "GPU 0 copies its memory at 239 GB/s, less than half of the 480 GB/s of earlier"
                + " instances of aws/us-east-1/g5.12xlarge/on-demand. Add speed to rented_nodes.");
    assertThat(problem.repetition()).isEqualTo(Repetition.ONCE);
    assertThat(problem(offer(gpu, 4), usual, healthy(A10G, 4, 241))).isEmpty();
    assertThat(problem(offer(gpu, 4), slow)).as("without earlier instances").isEmpty();
    assertThat(problem(offer(gpu, 4), usual, slow, NodeCheck.SPEED)).isEmpty();
  }

  /** The record explains why the driver has failed. */
  @Test
  void hardwareXidIsRefusedBeforeItsConsequences() {
    String failed = "{\"smi\": " + smiField(15, "Unable to determine the device handle");
    String report = failed + ", \"health\": {\"xids\": [" + xid(31) + ", " + xid(79) + "]}}";
    AcceptanceProblem problem = refused(FOUR, report);
    assertThat(problem.check()).isEqualTo(NodeCheck.HEALTH);
    assertThat(problem.message())
        .startsWith(
            "the kernel's log has Xid 79 of GPU PCI:0000:00:1e: the GPU has fallen off the bus. ")
        .contains("another zone or instance type", "add health to rented_nodes.acceptance.skip");
    assertThat(problem.repetition()).as("a record stays").isEqualTo(Repetition.NEVER);
    assertThat(problem(FOUR, report, NodeCheck.HEALTH).orElseThrow().check())
        .isEqualTo(NodeCheck.GPUS);
  }

  /** Resets and restarts are the immediate actions of NVIDIA's catalog for these. */
  @ParameterizedTest
  @ValueSource(
      ints = {46, 48, 62, 64, 74, 79, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156, 158})
  void xidThatNeedsResetIsRefused(int code) {
    assertThat(health("\"xids\": [" + xid(code) + "]").orElseThrow()).contains("Xid " + code + " ");
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 13, 31, 32, 43, 45, 63, 68, 69, 92, 94, 121, 137, 154})
  void xidOfProgramIsAccepted(int code) {
    assertThat(health("\"xids\": [" + xid(code) + "]")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ecc; 00000000:00:1E.0, 3; GPU 00000000:00:1E.0 has 3 uncorrected ECC errors since",
        "pages; 0000:1E, Yes; GPU 0000:1E has memory pages that are retired only after a reset",
        "rows; 0000:1E, 1, 0; GPU 0000:1E has memory rows that are remapped only after a reset",
        "rows; 0000:1E, Yes, No; GPU 0000:1E has memory rows that are remapped only after a",
        "rows; 0000:1E, 0, 1; GPU 0000:1E has a failed remapping of memory rows",
      })
  void damagedMemoryIsRefused(String query, String line, String message) {
    String both = query.equals("rows") ? "0000:1D, 0, 0\\n" + line : "0000:1D, 0\\n" + line;
    assertThat(health(quoted(query, 0, both)).orElseThrow()).startsWith(message);
    assertThat(health(quoted(query, 2, both))).as("a query that failed").isEmpty();
  }

  /** GPUs without ECC, and drivers without the query. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ecc; 0000:1E, 0",
        "ecc; 0000:1E, [N/A]",
        "ecc; 0000:1E, [Unknown Error]",
        "ecc; NVIDIA A10G",
        "pages; 0000:1E, No",
        "pages; 0000:1E, [N/A]",
        "rows; 0000:1E, 0, 0",
        "rows; 0000:1E, No, No",
        "rows; 0000:1E, [N/A], [N/A]",
      })
  void soundMemoryIsAccepted(String query, String line) {
    assertThat(health(quoted(query, 0, line))).isEmpty();
  }

  private static Optional<String> health(String records) {
    String healthy = healthy(A10G, 4, 480);
    String report = healthy.substring(0, healthy.length() - 1) + ", \"health\": {" + records + "}}";
    return problem(FOUR, report).map(AcceptanceProblem::message);
  }

  private static String xid(int code) {
    return "{\"gpu\": \"PCI:0000:00:1e\", \"code\": " + code + "}";
  }

  private static String quoted(String query, int exit, String output) {
    return "\"" + query + "\": " + smiField(exit, output);
  }

  @Test
  void imageIsNamedWithItsRemedy() {
    Optional<String> image = Optional.of("me/trainer:1");
    GpuRules rules =
        new GpuRules(
            new AcceptanceSubject(
                "l", FOUR, false, image, OptionalDouble.empty(), CheckedNodes.RENTED, List.of()),
            AcceptanceSettings.DEFAULT);
    AcceptanceProblem none =
        rules.problem(GpuReport.parse("devices 0").orElseThrow()).orElseThrow();
    assertThat(none.message())
        .startsWith("in a container of trial.image me/trainer:1: no GPU is visible. ")
        .contains("NVIDIA Container Toolkit");
    assertThat(none.repetition()).as("the node's driver works").isEqualTo(Repetition.ONCE);
    String utility = "{\"smi\": " + list(names(A10G, 4)) + ", \"cuda\": {\"found\": false}}";
    assertThat(rules.problem(GpuReport.parse(utility).orElseThrow()).orElseThrow().message())
        .contains("libcuda.so.1", "NVIDIA_DRIVER_CAPABILITIES=compute,utility in the image");
  }

  /** A lease has some GPUs of a node that its user maintains. */
  @Test
  void remediesForUserClusterNameItsNode() {
    GpuRules rules =
        new GpuRules(
            new AcceptanceSubject(
                "l",
                FOUR,
                false,
                Optional.empty(),
                OptionalDouble.empty(),
                CheckedNodes.USER_CLUSTER,
                List.of()),
            AcceptanceSettings.OF_USER_CLUSTER);
    for (String report :
        List.of(
            "{\"smi\": {\"found\": false}, \"cuda\": {\"found\": false}}",
            "{\"smi\": {\"found\": true, \"timed_out\": true}}",
            smi(18, "Driver/library version mismatch"),
            smi(9, "NVIDIA-SMI has failed"),
            healthy(A10G, 1, 480),
            healthy("Tesla T4", 4, 480),
            report(names(A10G, 8), "\"count\": 4, \"timed_out\": true, \"gpus\": [{}]"),
            report(names(A10G, 8), "\"error\": \"cuInit: CUDA_ERROR_SYSTEM_NOT_READY\""))) {
      assertThat(rules.problem(GpuReport.parse(report).orElseThrow()).orElseThrow().message())
          .containsAnyOf(
              " on the node", " the offers file", "acceptance.time_limit of the cluster in")
          .doesNotContain("image", "rented_nodes", "instance types");
    }
  }

  /** An image may have neither Python nor nvidia-smi. */
  @Test
  void imageWithoutPythonIsChecked() {
    assertThat(problem(FOUR, "devices 4\n")).isEmpty();
    assertThat(refused(FOUR, "devices 3\n").message()).contains("3 GPUs found");
    assertThat(problem(FOUR, "smi 0\n" + String.join("\n", names(A10G, 4)) + "\n")).isEmpty();
    assertThat(refused(FOUR, "smi 9\nno driver\n").message()).contains("exit code 9: no driver");
    assertThat(GpuReport.parse("")).isEmpty();
    assertThat(GpuReport.parse("smi x")).isEmpty();
    assertThat(GpuReport.parse("{")).isEmpty();
  }

  /** Names as nvidia-smi prints them. */
  @ParameterizedTest
  @CsvSource({
    "K80, Tesla K80",
    "P100, Tesla P100-PCIE-16GB",
    "V100, Tesla V100-SXM2-16GB",
    "T4, Tesla T4",
    "T4G, NVIDIA T4G",
    "A10G, NVIDIA A10G",
    "A100, NVIDIA A100-SXM4-40GB",
    "A100-80GB, NVIDIA A100-SXM4-80GB",
    "A100-80GB, NVIDIA A100 80GB PCIe",
    "L4, NVIDIA L4",
    "L40S, NVIDIA L40S",
    "H100, NVIDIA H100 80GB HBM3",
    "H200, NVIDIA H200",
    "B200, NVIDIA B200",
    "B300, NVIDIA B300 SXM6 AC",
    "RTX-PRO-4500, NVIDIA RTX PRO 4500 Blackwell Server Edition",
    "RTX-PRO-6000, NVIDIA RTX PRO 6000 Blackwell Server Edition",
  })
  void modelsOfOffersAreRecognized(String model, String name) {
    assertThat(NvidiaModel.in(name).orElseThrow().name()).isEqualTo(model);
    assertThat(NvidiaModel.in(model)).isEqualTo(NvidiaModel.in(name));
  }

  /** The 40 GB and the 80 GB version differ in speed, and have profiles of their own. */
  @Test
  void modelsThatDifferInMemoryOnlyAreNotMixedUp() {
    assertThat(refused(offer("A100", 1), healthy("NVIDIA A100-SXM4-80GB", 1, 1500)).check())
        .isEqualTo(NodeCheck.MODEL);
    assertThat(refused(offer("L4", 1), healthy("NVIDIA L40S", 1, 700)).check())
        .isEqualTo(NodeCheck.MODEL);
  }

  /** An offers file may name GPUs as it likes. */
  @Test
  void unknownModelIsNotCompared() {
    assertThat(problem(offer("mine", 1), healthy("NVIDIA Foo 9000", 1, 1))).isEmpty();
    assertThat(refused(offer("mine", 2), healthy("NVIDIA Foo 9000", 1, 1)).check())
        .isEqualTo(NodeCheck.GPUS);
  }

  /** Names as Ray gives them to the GPUs of nodes. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu", "V520", "AMD-Instinct-MI300X-OAM", "Intel-GPU-Max-1550"})
  void gpusOfOtherMakersAndCpusAreNotChecked(String gpu) {
    assertThat(GpuRules.apply(offer(gpu, 1), AcceptanceSettings.DEFAULT)).isFalse();
    assertThat(GpuRules.apply(FOUR, AcceptanceSettings.DEFAULT)).isTrue();
    assertThat(
            GpuRules.apply(
                FOUR,
                skipping(
                    NodeCheck.GPUS,
                    NodeCheck.MODEL,
                    NodeCheck.CUDA,
                    NodeCheck.SPEED,
                    NodeCheck.HEALTH)))
        .isFalse();
  }

  private static AcceptanceSettings skipping(NodeCheck... skip) {
    AcceptanceSettings all = AcceptanceSettings.DEFAULT;
    return new AcceptanceSettings(
        List.of(skip), all.driverWait(), all.timeLimit(), all.minFreeDisk());
  }

  private static Optional<AcceptanceProblem> problem(
      Offer offer, String output, NodeCheck... skip) {
    return problem(offer, OptionalDouble.empty(), output, skip);
  }

  private static Optional<AcceptanceProblem> problem(
      Offer offer, OptionalDouble usualGbPerS, String output, NodeCheck... skip) {
    GpuRules rules =
        new GpuRules(
            new AcceptanceSubject(
                "l", offer, false, Optional.empty(), usualGbPerS, CheckedNodes.RENTED, List.of()),
            skipping(skip));
    return rules.problem(GpuReport.parse(output).orElseThrow());
  }

  private static AcceptanceProblem refused(Offer offer, String output) {
    return problem(offer, output).orElseThrow();
  }

  private static String healthy(String name, int count, double gbPerS) {
    List<String> gpus = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      gpus.add("{\"name\": \"" + name + "\", \"gb_per_s\": " + gbPerS + "}");
    }
    return report(names(name, count), "\"count\": " + count + ", \"gpus\": " + gpus);
  }

  private static String report(String[] names, String cuda) {
    return "{\"smi\": " + list(names) + ", \"cuda\": {\"found\": true, " + cuda + "}}";
  }

  private static String list(String... names) {
    return smiField(0, String.join("\\n", Arrays.asList(names)));
  }

  private static String smi(int exit, String output) {
    String smi = smiField(exit, output.replace("\n", "\\n"));
    return "{\"smi\": " + smi + ", \"cuda\": {\"found\": true, \"error\": \"x\"}}";
  }

  private static String smiField(int exit, String output) {
    return "{\"found\": true, \"exit\": " + exit + ", \"output\": \"" + output + "\"}";
  }

  private static String[] names(String name, int count) {
    return Collections.nCopies(count, name).toArray(String[]::new);
  }
}
