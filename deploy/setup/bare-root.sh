# What makes root file systems of the distribution's packages: the long tests install this project's packages in one.

bare_root_tools() { need mmdebstrap mmdebstrap; }

bare_root_build() { :; }
