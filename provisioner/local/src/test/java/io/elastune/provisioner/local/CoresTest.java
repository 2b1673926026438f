package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {
  private final Cores cores = new Cores(List.of(2, 3, 4, 7));

  @Test
  void givesSlotsTheirOwnCores() {
    assertThat(cores.take(2, 1)).containsExactly("2", "3");
    List<String> second = cores.take(1, 2);
    assertThat(second).containsExactly("4,7");
    assertThat(cores.shared(second)).isFalse();
  }

  @Test
  void sharesLeastUsedCores() {
    List<String> first = cores.take(3, 1);
    List<String> second = cores.take(2, 1);
    assertThat(second).containsExactly("7", "2");
    assertThat(cores.shared(first)).isTrue();
    assertThat(cores.shared(second)).isTrue();
  }

  @Test
  void reusesFreedCores() {
    List<String> first = cores.take(2, 1);
    cores.take(2, 1);
    cores.giveBack(first);
    assertThat(cores.take(1, 2)).containsExactly("2,3");
  }

  @Test
  void limitsSlotToCoresOfMachine() {
    assertThat(cores.take(1, 16)).containsExactly("2,3,4,7");
  }

  @Test
  void parsesKernelCoreLists() {
    assertThat(Cores.parse("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
  }

  @Test
  void thisMachineHasCores() {
    assertThat(Cores.ofThisMachine().count()).isPositive();
  }
}
