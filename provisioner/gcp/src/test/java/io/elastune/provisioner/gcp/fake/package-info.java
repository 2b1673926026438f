/**
 * A fake Compute Engine over HTTP that injects faults and validates all calls against Google's
 * discovery document.
 */
@NullMarked
package io.elastune.provisioner.gcp.fake;

import org.jspecify.annotations.NullMarked;
