package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.core.offer.Quota;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MachineCapacityTest {
  private static final Offer GPUS = DeviceAssignmentTest.offer("A10G", 2, 0);
  private static final Offer CORES = DeviceAssignmentTest.offer("cpu", 1, 3);
  private static final String NAME = GPUS.name();

  @Test
  void gpusOfTheMachineAreTheLimit() {
    assertThat(quotas(DeviceAssignmentTest.machine(8, 4), GPUS, List.of()))
        .containsExactly(
            new Quota("GPUs of this machine", "GPU", 4, Map.of(NAME, 2)),
            new Quota("cores of this machine", "cores", 8, Map.of(NAME, 4)));
  }

  @Test
  void heldDevicesAreDeducted() {
    List<DeviceHold> holds = List.of(new DeviceHold("a", List.of(0, 1), List.of("GPU-3")));

    assertThat(quotas(DeviceAssignmentTest.machine(8, 4), GPUS, holds))
        .containsExactly(
            new Quota(
                "1 of the 4 GPUs of this machine are held by run a", "GPU", 3, Map.of(NAME, 2)),
            new Quota(
                "2 of the 8 cores of this machine are held by run a", "cores", 6, Map.of(NAME, 4)));
  }

  @Test
  void coresOfTheMachineAreTheLimit() {
    assertThat(quotas(DeviceAssignmentTest.machine(2, 4), CORES, List.of()))
        .containsExactly(new Quota("cores of this machine", "cores", 2, Map.of(NAME, 3)));
    assertThat(quotas(DeviceAssignmentTest.machine(2, 0), GPUS, List.of()))
        .containsExactly(new Quota("cores of this machine", "cores", 2, Map.of(NAME, 2)));
    assertThat(DeviceAssignmentTest.machine(2, 0).instances(CORES)).isZero();
  }

  @Test
  void heldCoresAreDeductedFromTheLimit() {
    List<DeviceHold> holds = List.of(new DeviceHold("a", List.of(1), List.of()));

    assertThat(quotas(DeviceAssignmentTest.machine(2, 0), CORES, holds))
        .containsExactly(
            new Quota(
                "1 of the 2 cores of this machine are held by run a", "cores", 1, Map.of(NAME, 3)));
  }

  /** Four slots and six slots share a core: 24 of the 24ths of two cores. */
  @Test
  void slotsThatShareCoresUsePartsOfThem() {
    Offer four = OfferBuilder.builder(CORES).coresPerGpu(1).slotsPerCore(4).gpus(3).build();
    Offer six = OfferBuilder.builder(four).instanceType("other").slotsPerCore(6).build();
    MachineDevices two = DeviceAssignmentTest.machine(2, 0);

    assertThat(new MachineCapacity(two, List.of(four, six), Map.of(), List.of()).quotas())
        .containsExactly(
            new Quota(
                "cores of this machine", "1/12 cores", 24, Map.of(four.name(), 9, six.name(), 6)));
    assertThat(two.instances(four)).isEqualTo(2);
    assertThat(two.instances(six)).isEqualTo(4);
    assertThat(two.slotsPerCore(CORES)).isEqualTo(1);
  }

  /** 16 GB hold five workers of 3.1 GB, so two instances of two slots. */
  @Test
  void memoryOfTheMachineIsTheLimitOfWorkersWhoseNeedIsKnown() {
    MachineDevices machine = DeviceAssignmentTest.machine(80, 8);
    List<Quota> quotas =
        new MachineCapacity(machine, List.of(GPUS, CORES), Map.of("A10G", 3.1), List.of()).quotas();

    assertThat(quotas)
        .contains(new Quota("memory of this machine", "MB", 16_000, Map.of(NAME, 6_200)));
    assertThat(quotas.stream().filter(Quota::isMemory))
        .allMatch(quota -> quota.maxInstances(NAME) == 2)
        .allMatch(quota -> quota.maxInstances(NAME, 2) == 1)
        .allMatch(quota -> quota.isOfThisMachine());
    assertThat(
            new MachineCapacity(machine, List.of(CORES), Map.of("A10G", 3.1), List.of()).quotas())
        .noneMatch(Quota::isMemory);
  }

  @Test
  void unknownMemoryIsNoLimit() {
    MachineDevices machine = new MachineDevices(List.of(0, 1), List.of(), OptionalLong.empty());

    assertThat(new MachineCapacity(machine, List.of(CORES), Map.of("cpu", 3.1), List.of()).quotas())
        .noneMatch(Quota::isMemory);
  }

  @Test
  void instancesWithDevicesOfTheirOwnExist() {
    assertThat(DeviceAssignmentTest.machine(8, 0).instances(CORES)).isEqualTo(2);
    assertThat(DeviceAssignmentTest.machine(8, 5).instances(GPUS)).isEqualTo(2);
    assertThat(DeviceAssignmentTest.machine(2, 4).instances(GPUS)).isEqualTo(2);
  }

  private static List<Quota> quotas(MachineDevices machine, Offer offer, List<DeviceHold> holds) {
    return new MachineCapacity(machine, List.of(offer), Map.of(), holds).quotas();
  }
}
