package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoreAllocatorTest {
  private final CoreAllocator coreAllocator = new CoreAllocator(List.of(2, 3, 4, 7));

  @Test
  void givesSlotsTheirOwnCores() {
    assertThat(coreAllocator.allocate(2, 1)).containsExactly("2", "3");
    List<String> second = coreAllocator.allocate(1, 2);
    assertThat(second).containsExactly("4,7");
    assertThat(coreAllocator.isShared(second)).isFalse();
  }

  @Test
  void sharesLeastUsedCores() {
    List<String> first = coreAllocator.allocate(3, 1);
    List<String> second = coreAllocator.allocate(2, 1);
    assertThat(second).containsExactly("7", "2");
    assertThat(coreAllocator.isShared(first)).isTrue();
    assertThat(coreAllocator.isShared(second)).isTrue();
  }

  @Test
  void reusesFreedCores() {
    List<String> first = coreAllocator.allocate(2, 1);
    coreAllocator.allocate(2, 1);
    coreAllocator.free(first);
    assertThat(coreAllocator.allocate(1, 2)).containsExactly("2,3");
  }

  @Test
  void limitsSlotToCoresOfMachine() {
    assertThat(coreAllocator.allocate(1, 16)).containsExactly("2,3,4,7");
  }

  @Test
  void parsesKernelCoreLists() {
    assertThat(CoreAllocator.parse("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
  }

  @Test
  void thisMachineHasCores() {
    assertThat(CoreAllocator.ofThisMachine().count()).isPositive();
  }
}
