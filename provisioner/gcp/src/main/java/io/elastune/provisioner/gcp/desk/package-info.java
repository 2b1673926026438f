/** What a project can be asked outside of a run: what is left, and whether one could begin. */
@NullMarked
package io.elastune.provisioner.gcp.desk;

import org.jspecify.annotations.NullMarked;
