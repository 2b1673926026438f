/**
 * Operations on the project outside of a run: list instances, terminate them, read offers, and
 * check whether a run can start.
 */
@NullMarked
package io.elastune.provisioner.gcp.account;

import org.jspecify.annotations.NullMarked;
