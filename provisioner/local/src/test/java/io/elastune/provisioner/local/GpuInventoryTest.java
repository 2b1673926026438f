package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuInventoryTest {
  @TempDir private Path folder;

  @Test
  void readsGpusFromNvidiaSmi() throws IOException {
    Path tool =
        nvidiaSmi(
            """
            [ "$1" = -L ] || exit 1
            echo 'GPU 0: NVIDIA A10G (UUID: GPU-a0)'
            echo 'GPU 1: NVIDIA A10G (UUID: GPU-b1)'
            echo 'a warning' >&2
            """);

    assertThat(GpuInventory.listed(tool.toString()))
        .hasValue(
            List.of(
                new Gpu("GPU-a0", 0, "0", "NVIDIA A10G"),
                new Gpu("GPU-b1", 1, "1", "NVIDIA A10G")));
  }

  @Test
  void failingNvidiaSmiIsNoInventory() throws IOException {
    assertThat(GpuInventory.listed(nvidiaSmi("echo 'NVML: mismatch'; exit 18").toString()))
        .isEmpty();
    assertThat(GpuInventory.listed(folder.resolve("missing").toString())).isEmpty();
    assertThat(GpuInventory.listed(nvidiaSmi("echo 'No devices found'").toString()))
        .hasValue(List.of());
  }

  @Test
  void migDevicesReplaceTheirGpu() {
    List<Gpu> gpus =
        GpuInventory.parse(
            List.of(
                "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-a)",
                "  MIG 3g.20gb     Device  0: (UUID: MIG-1)",
                "  MIG 3g.20gb     Device  1: (UUID: MIG-2)",
                "GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-b)"));

    assertThat(gpus)
        .containsExactly(
            new Gpu("MIG-1", 0, "MIG-1", "NVIDIA A100-SXM4-40GB MIG 3g.20gb"),
            new Gpu("MIG-2", 0, "MIG-2", "NVIDIA A100-SXM4-40GB MIG 3g.20gb"),
            new Gpu("GPU-b", 1, "GPU-b", "NVIDIA A100-SXM4-40GB"));
  }

  @Test
  void gapsInNumbersCauseUuids() {
    List<Gpu> gpus =
        GpuInventory.parse(
            List.of(
                "GPU 0: Tesla T4 (UUID: GPU-a)",
                "Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.",
                "",
                "GPU 2: Tesla T4 (UUID: GPU-c)"));

    assertThat(gpus).extracting(Gpu::device).containsExactly("GPU-a", "GPU-c");
  }

  @Test
  void countsDeviceFilesWithoutNvidiaSmi() throws IOException {
    for (String name : List.of("nvidia10", "nvidia2", "nvidiactl", "nvidia-uvm", "null")) {
      Files.createFile(folder.resolve(name));
    }

    assertThat(GpuInventory.deviceFiles(folder))
        .extracting(Gpu::id, Gpu::device)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("nvidia2", "0"),
            org.assertj.core.groups.Tuple.tuple("nvidia10", "1"));
    assertThat(GpuInventory.deviceFiles(folder.resolve("missing"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2,3 | 2 3",
        "3, 1 | 3 1",
        "1,1 | 1",
        "'' | ''",
        "-1 | ''",
        "0,7,1 | 0",
        "NoDevFiles | ''",
        "GPU-c,GPU-abc | 2 0",
        "GPU- | ''",
        "1,GPU-d | 1 3"
      })
  void visibleDevicesLimitTheInventory(String variable, String devices) {
    List<Gpu> all =
        GpuInventory.parse(
            List.of(
                "GPU 0: T4 (UUID: GPU-abc)",
                "GPU 1: T4 (UUID: GPU-b)",
                "GPU 2: T4 (UUID: GPU-c)",
                "GPU 3: T4 (UUID: GPU-d)"));

    assertThat(GpuInventory.visible(all, Optional.of(variable)))
        .extracting(Gpu::device)
        .containsExactly(devices.isEmpty() ? new String[0] : devices.split(" ", -1));
    assertThat(GpuInventory.visible(all, Optional.empty())).isEqualTo(all);
  }

  private Path nvidiaSmi(String script) throws IOException {
    Path tool = Files.writeString(folder.resolve("nvidia-smi"), "#!/bin/sh\n" + script);
    return Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
