package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeReportTest {
  @Test
  void failureHasExitCodeAndOutput() {
    NodeReport failed = NodeReport.failed("3", "bm8gc3VjaCB3aGVlbA==");
    assertThat(failed).isEqualTo(new NodeReport(3, "no such wheel"));
    assertThat(failed.isReady()).isFalse();
    assertThat(NodeReport.READY.isReady()).isTrue();
  }

  @Test
  void reportsUndecodableOutput() {
    assertThat(NodeReport.failed("3", "bm8=c").output()).contains("cannot be read");
  }
}
