package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the answers of nvidia-smi. The XML has the elements of a real answer of a GPU with MIG
 * devices (driver 535), the list is that of NVIDIA's MIG User Guide.
 */
class GpuProcessTest {
  private static final List<String> LISTED =
      List.of(
          "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)",
          "  MIG 3g.20gb     Device  0: (UUID: MIG-a)",
          "  MIG 3g.20gb     Device  1: (UUID: MIG-b)",
          "GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-2)");

  private static final String XML =
      """
      <?xml version="1.0" ?>
      <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
      <nvidia_smi_log>
        <gpu id="00000000:10:00.0">
          <mig_mode><current_mig>Enabled</current_mig></mig_mode>
          <mig_devices>
            <mig_device>
              <index>0</index>
              <gpu_instance_id>1</gpu_instance_id>
              <compute_instance_id>0</compute_instance_id>
            </mig_device>
            <mig_device>
              <index>1</index>
              <gpu_instance_id>5</gpu_instance_id>
              <compute_instance_id>0</compute_instance_id>
            </mig_device>
          </mig_devices>
          <uuid>GPU-1</uuid>
          <processes>
            <process_info>
              <gpu_instance_id>5</gpu_instance_id>
              <compute_instance_id>0</compute_instance_id>
              <pid>11</pid>
              <type>C</type>
              <process_name>python&#x9b;31m</process_name>
              <used_memory>56 MiB</used_memory>
            </process_info>
          </processes>
        </gpu>
        <gpu id="00000000:15:00.0">
          <mig_devices>None</mig_devices>
          <uuid>GPU-2</uuid>
          <processes>
            <process_info>
              <gpu_instance_id>N/A</gpu_instance_id>
              <compute_instance_id>N/A</compute_instance_id>
              <pid>12</pid>
              <process_name>train</process_name>
            </process_info>
          </processes>
        </gpu>
      </nvidia_smi_log>
      """;

  @Test
  void processIsFoundOnItsMigDevice() throws IOException {
    assertThat(GpuProcess.ofXml(XML, LISTED))
        .containsExactly(
            new GpuProcess("MIG-b", 11, "python 31m"), new GpuProcess("GPU-2", 12, "train"));
  }
}
