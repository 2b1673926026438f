package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeviceAssignmentTest {
  private static final String RUN = "mine";
  private static final MachineDevices NO_GPU = machine(4, 0);

  @Test
  void slotsGetGpusAndEqualSharesOfTheCores() throws DeviceShortageException {
    DeviceAssignment two =
        DeviceAssignment.of(machine(8, 4), offer("A10G", 2, 0), RUN, List.of(hold(RUN, "0,1", 0)));

    assertThat(two.visibleDevices()).containsExactly("1", "2");
    assertThat(two.slots()).containsExactly("2,3", "4,5");
    assertThat(two.sharesCores()).isFalse();
  }

  @Test
  void offerSetsCoresOfSlots() throws DeviceShortageException {
    assertThat(DeviceAssignment.of(machine(8, 2), offer("A10G", 1, 3), RUN, List.of()).slots())
        .containsExactly("0,1,2");
    assertThat(DeviceAssignment.of(NO_GPU, offer("cpu", 1, 9), RUN, List.of()).slots())
        .containsExactly("0,1,2,3");
  }

  @Test
  void slotOfCoresHidesGpus() throws DeviceShortageException {
    DeviceAssignment cpu =
        DeviceAssignment.of(machine(4, 2), offer("CPU", 2, 0), RUN, List.of(hold("x", "0", 0, 1)));

    assertThat(cpu.visibleDevices()).containsExactly("", "");
    assertThat(cpu.slots()).containsExactly("1", "2");
    assertThat(cpu.hold(RUN)).isEqualTo(new DeviceHold(RUN, List.of(1, 2), List.of()));
  }

  @Test
  void machineWithoutGpuLeavesVisibleDevicesAsTheyAre() throws DeviceShortageException {
    assertThat(DeviceAssignment.of(NO_GPU, offer("A10G", 2, 0), RUN, List.of()).visibleDevices())
        .isEmpty();
  }

  @Test
  void takenGpusAreNamedWithTheirRun() {
    List<DeviceHold> holds = List.of(hold("a", "0", 0, 1), hold("b", "1", 3));

    assertThatExceptionOfType(DeviceShortageException.class)
        .isThrownBy(() -> DeviceAssignment.of(machine(8, 4), offer("A10G", 2, 1), RUN, holds))
        .withMessage("3 of the 4 GPUs of this machine are held by run a, run b")
        .matches(DeviceShortageException::isTemporary);
  }

  @Test
  void tooManyGpusPerInstanceIsPermanent() {
    assertThatExceptionOfType(DeviceShortageException.class)
        .isThrownBy(() -> DeviceAssignment.of(machine(8, 2), offer("A10G", 4, 1), RUN, List.of()))
        .withMessage("local/type/on-demand needs 4 GPUs per instance, and this machine has 2")
        .matches(shortage -> !shortage.isTemporary());
  }

  @Test
  void coresAreSharedWithinRunOnly() throws DeviceShortageException {
    Offer core = offer("cpu", 1, 1);
    MachineDevices two = machine(2, 0);
    DeviceAssignment third =
        DeviceAssignment.of(two, core, RUN, List.of(hold(RUN, "0"), hold(RUN, "1")));

    assertThat(third.slots()).containsExactly("0");
    assertThat(third.sharesCores()).isTrue();
    assertThatExceptionOfType(DeviceShortageException.class)
        .isThrownBy(
            () -> DeviceAssignment.of(two, core, RUN, List.of(hold(RUN, "0"), hold("b", "1"))))
        .withMessageStartingWith("1 of the 2 cores of this machine are held by run b");
    assertThat(DeviceAssignment.of(two, core, RUN, List.of(hold("b", "0"))).slots())
        .containsExactly("1");
  }

  @Test
  void gpusOfMachineWithFewCoresShareThem() throws DeviceShortageException {
    DeviceAssignment second =
        DeviceAssignment.of(
            machine(2, 4), offer("A10G", 2, 0), RUN, List.of(hold("b", "0,1", 0, 1)));

    assertThat(second.visibleDevices()).containsExactly("2", "3");
    assertThat(second.slots()).containsExactly("0", "1");
    assertThat(second.sharesCores()).isFalse();
  }

  private static DeviceHold hold(String run, String cores, Integer... gpus) {
    return new DeviceHold(
        run, AllowedCores.parse(cores), List.of(gpus).stream().map(n -> "GPU-" + n).toList());
  }

  static MachineDevices machine(int cores, int gpus) {
    return new MachineDevices(
        IntStream.range(0, cores).boxed().toList(),
        IntStream.range(0, gpus)
            .mapToObj(n -> new Gpu("GPU-" + n, n, Integer.toString(n), "A10G"))
            .toList(),
        OptionalLong.of(16_000_000_000L));
  }

  static Offer offer(String gpu, int gpus, int coresPerGpu) {
    return new Offer(
        "local",
        "type",
        gpu,
        gpus,
        Market.ON_DEMAND,
        1,
        PriceKind.NOTIONAL,
        BillingTerms.BY_THE_SECOND,
        Spread.NONE,
        Spread.NONE,
        0,
        0,
        coresPerGpu);
  }
}
