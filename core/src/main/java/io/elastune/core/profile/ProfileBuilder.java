package io.elastune.core.profile;

import io.elastune.core.Spread;
import io.elastune.core.faults.TrialFaultRates;
import java.util.List;
import java.util.NavigableMap;

/** A mutable copy of a profile, to create one that differs in some components. */
final class ProfileBuilder {
  String program;
  String gpu;
  String unit;
  MeasurementOrigin measured;
  NavigableMap<Integer, Double> secondsByGpus;
  NavigableMap<Integer, Double> secondsBySharing;
  Spread startupS;
  Spread checkpointS;
  double trialCv;
  double unitCv;
  Straggler straggler;
  List<Double> samples;
  double instanceCv;
  Straggler instanceStraggler;
  List<ProvisioningTimes> provisioning;
  boolean startupKnown;
  CheckpointMeasurement checkpoint;
  TrialFaultRates faults;
  ConfigurationEffect configurations;

  ProfileBuilder(Profile profile) {
    program = profile.program();
    gpu = profile.gpu();
    unit = profile.unit();
    measured = profile.measured();
    secondsByGpus = profile.secondsByGpus();
    secondsBySharing = profile.secondsBySharing();
    startupS = profile.startupS();
    checkpointS = profile.checkpointS();
    trialCv = profile.trialCv();
    unitCv = profile.unitCv();
    straggler = profile.straggler();
    samples = profile.samples();
    instanceCv = profile.instanceCv();
    instanceStraggler = profile.instanceStraggler();
    provisioning = profile.provisioning();
    startupKnown = profile.startupKnown();
    checkpoint = profile.checkpoint();
    faults = profile.faults();
    configurations = profile.configurations();
  }

  Profile build() {
    return new Profile(
        program,
        gpu,
        unit,
        measured,
        secondsByGpus,
        secondsBySharing,
        startupS,
        checkpointS,
        trialCv,
        unitCv,
        straggler,
        samples,
        instanceCv,
        instanceStraggler,
        provisioning,
        startupKnown,
        checkpoint,
        faults,
        configurations);
  }
}
