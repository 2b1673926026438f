package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalOffersTest {
  private static MachineDevices machine(String... models) {
    List<Gpu> gpus =
        IntStream.range(0, models.length)
            .mapToObj(i -> new Gpu("GPU-" + i, i, Integer.toString(i), models[i]))
            .toList();
    return new MachineDevices(List.of(0, 1, 2, 3, 4, 5, 6, 7), gpus, OptionalLong.empty());
  }

  private static List<String> names(MachineDevices machine) {
    return LocalOffers.of(machine).offers().stream().map(Offer::name).toList();
  }

  @Test
  void machineWithoutGpusOffersCores() {
    assertThat(names(machine())).containsExactly("local/core/on-demand");
  }

  @Test
  void machineWithGpusOffersThemInSeveralSizes() {
    MachineDevices machine =
        machine("NVIDIA A10G", "NVIDIA A10G", "NVIDIA A10G", "NVIDIA A10G", "NVIDIA A10G");
    List<Offer> offers = LocalOffers.of(machine).offers();

    assertThat(names(machine))
        .containsExactly(
            "local/core/on-demand",
            "local/a10g/on-demand",
            "local/a10g-x2/on-demand",
            "local/a10g-x4/on-demand",
            "local/a10g-x5/on-demand");
    assertThat(offers.get(0).gpu()).isEqualTo("cpu");
    assertThat(offers.stream().skip(1))
        .allMatch(offer -> offer.gpu().equals("A10G") && machine.usesGpus(offer))
        .allMatch(offer -> offer.price() == PriceKind.NOTIONAL)
        .extracting(Offer::gpus)
        .containsExactly(1, 2, 4, 5);
    assertThat(machine.coresPerSlot(offers.get(1))).isEqualTo(1); // 8 cores for 5 GPUs
  }

  /** A slot gets any free GPU, so an offer cannot name one of several models. */
  @Test
  void differentModelsAreOneOffer() {
    assertThat(names(machine("Tesla T4", "Tesla V100-SXM2-16GB")))
        .containsExactly("local/core/on-demand", "local/gpu/on-demand", "local/gpu-x2/on-demand");
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA A10G, A10G",
    "NVIDIA L4, L4",
    "Tesla T4, T4",
    "Tesla V100-SXM2-16GB, V100",
    "NVIDIA A100-SXM4-40GB, A100",
    "NVIDIA H100 80GB HBM3, H100",
    "NVIDIA A100-SXM4-40GB MIG 3g.20gb, A100-3g.20gb",
    "NVIDIA GeForce RTX 3090, RTX 3090",
    "NVIDIA RTX A6000, RTX A6000",
    "NVIDIA GPU, GPU"
  })
  void modelsHaveTheirNamesInPriceLists(String model, String name) {
    assertThat(LocalOffers.shortName(model)).isEqualTo(name);
  }
}
