package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoreAllocatorTest {
  private static final List<Integer> CORES = List.of(2, 3, 4, 7);

  @Test
  void givesSlotsTheirOwnCores() {
    CoreAllocator coreAllocator = new CoreAllocator(CORES, List.of());

    assertThat(coreAllocator.allocate(2, 1)).containsExactly(List.of(2), List.of(3));
    List<List<Integer>> second = coreAllocator.allocate(1, 2);
    assertThat(second).containsExactly(List.of(4, 7));
    assertThat(coreAllocator.isShared(second)).isFalse();
  }

  @Test
  void sharesLeastUsedCores() {
    CoreAllocator coreAllocator = new CoreAllocator(CORES, List.of(2, 3, 4));
    List<List<Integer>> slots = coreAllocator.allocate(2, 1);

    assertThat(slots).containsExactly(List.of(7), List.of(2));
    assertThat(coreAllocator.isShared(slots)).isTrue();
  }

  @Test
  void ignoresUsedCoresThatItMayNotAllocate() {
    assertThat(new CoreAllocator(CORES, List.of(0, 2, 99)).allocate(1, 2))
        .containsExactly(List.of(3, 4));
  }

  @Test
  void parsesKernelCoreLists() {
    assertThat(AllowedCores.parse("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
  }

  @Test
  void thisProcessHasCores() {
    assertThat(AllowedCores.ofThisProcess()).isNotEmpty();
  }
}
