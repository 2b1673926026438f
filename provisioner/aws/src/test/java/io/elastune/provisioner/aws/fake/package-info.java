/** A fake AWS over HTTP that reproduces the faults of the real one. */
@NullMarked
package io.elastune.provisioner.aws.fake;

import org.jspecify.annotations.NullMarked;
