package io.elastune.executor.ray.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.provisioner.CloudException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortabilityCheckTest {
  @TempDir private Path folder;

  @Test
  void findsNewestNeedOfAllFiles() throws IOException {
    write("a.so", ElfBytes.X86_64, 0, "GLIBC_2.2.5", "GLIBC_2.17");
    write("b/c.so", ElfBytes.X86_64, 0, "GLIBC_2.28", "GLIBCXX_3.4.30", "GLIBC_PRIVATE");
    Files.writeString(folder.resolve("text.py"), "print('GLIBC_2.99')" + " ".repeat(100));
    Files.write(folder.resolve("empty"), new byte[0]);

    assertThat(PortabilityCheck.newestNeed(folder)).hasToString("2.28");
  }

  @Test
  void newerNeedIsRefusedWithItsFile() throws IOException {
    write("old.so", ElfBytes.X86_64, 0, "GLIBC_2.17");
    write("new.so", ElfBytes.X86_64, 0, "GLIBC_2.17", "GLIBC_2.29");

    assertThatThrownBy(() -> PortabilityCheck.newestNeed(folder))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("new.so needs glibc 2.29")
        .hasMessageNotContaining("old.so");
  }

  @Test
  void packedRelocationsNeedNewerLoader() throws IOException {
    write("packed.so", ElfBytes.X86_64, 0, "GLIBC_ABI_DT_RELR");

    assertThatThrownBy(() -> PortabilityCheck.newestNeed(folder))
        .hasMessageContaining("packed.so needs glibc 2.36");
  }

  @Test
  void weakNeedMayBeMissing() throws IOException {
    write("weak.so", ElfBytes.X86_64, ElfBytes.WEAK, "GLIBC_2.34");

    assertThat(PortabilityCheck.newestNeed(folder)).hasToString("2.0");
  }

  @Test
  void otherProcessorIsRefused() throws IOException {
    write("arm.so", ElfBytes.AARCH64, 0, "GLIBC_2.17");

    assertThatThrownBy(() -> PortabilityCheck.newestNeed(folder))
        .hasMessageContaining("arm.so is not for x86_64");
  }

  @Test
  void damagedFileIsReported() throws IOException {
    byte[] whole = ElfBytes.of(ElfBytes.X86_64, 0, List.of("GLIBC_2.17"));
    Files.write(folder.resolve("half.so"), Arrays.copyOf(whole, 0x210));

    assertThatThrownBy(() -> PortabilityCheck.newestNeed(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("half.so is a damaged ELF file");
  }

  private void write(String name, int machine, int flags, String... versions) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    Files.write(file, ElfBytes.of(machine, flags, List.of(versions)));
  }
}
