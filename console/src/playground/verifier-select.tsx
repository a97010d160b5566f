/** Which program checks the proofs of a prover that the service does not know. */
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { builtinsQuery } from "../deployments/images-query.ts";

interface VerifierSelectProps {
  readonly image: string | null;
  readonly onChange: (image: string | null) => void;
}

export function VerifierSelect({ image, onChange }: VerifierSelectProps) {
  const { data } = useQuery(builtinsQuery);
  const verifiers = (data?.items ?? []).map((one) => one.image).filter((one) => one.endsWith("-verify"));
  return (
    <Select
      label="Verify with"
      description="Checks a proof that is run here, for a prover of the same circuit"
      placeholder="nothing"
      clearable
      clearButtonProps={{ "aria-label": "Verify with nothing" }}
      data={verifiers}
      value={image !== null && verifiers.includes(image) ? image : null}
      onChange={onChange}
    />
  );
}
